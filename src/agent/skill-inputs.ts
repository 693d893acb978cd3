import type { ParameterDefinition } from '../protocol/index.ts';
import { evenShare, jsonTokens } from './budget.ts';
import { type InputSchema, issuesOf } from './check-input.ts';
import { copyEnum, copySchema, describe, isJsonType, isObject, isPlain, MEMBER_NAME } from './copy-schema.ts';
import { marked } from './untrusted.ts';

/** What a model is told of a skill's inputs. */
export interface SkillInputs {
  /** A closed object. */
  schema: InputSchema;
  /** The most important first. */
  notes: string[];
  /** The inputs under the names that the publisher gave them. */
  toPublished(input: Record<string, unknown>): Record<string, unknown>;
}

/** Of the whole schema as JSON. */
const MAX_TOKENS = 1_800;
/** Of the schema without any member. */
const FRAME_TOKENS = 80;
const MAX_PARAMETERS = 100;
const MAX_NOTES = 6;
const NAME_TOKENS = 40;
const DESCRIPTION_TOKENS = 120;
/** Least of a description that is worth its label. */
const LEAST_TOKENS = 10;

interface Member {
  name: string;
  published: string;
  required: boolean;
  /** Its type alone. */
  bare: InputSchema;
  /** All but a description. */
  details: InputSchema;
  /** The description, with at most so many tokens of the publisher's text. */
  words(tokens: number): string;
}

/**
 * The inputs of a skill as a JSON Schema of bounded size. A name that not every runtime takes is replaced by
 * `input_<position>`. What cannot be carried over or has no room is left out and noted: there the skill alone is judge.
 */
export function skillInputs(parameters: readonly ParameterDefinition[]): SkillInputs {
  const notes = new Set<string>();
  const names = new Set(parameters.map(({ name }) => name));
  const members: Member[] = [];
  for (const [i, parameter] of parameters.slice(0, MAX_PARAMETERS).entries()) {
    if (members.some(({ published }) => published === parameter.name)) continue;
    members.push(
      toMember(parameter, MEMBER_NAME.test(parameter.name) ? parameter.name : alias(i, names), notes),
    );
  }
  const schemas = spread(members, notes);
  const kept = [...schemas.keys()];
  const schema: InputSchema = {
    type: 'object',
    properties: Object.fromEntries([...schemas].map(([{ name }, of]) => [name, of])),
    required: kept.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false,
  };
  const missing = parameters.length - kept.length;
  const published = new Map(kept.map((member) => [member.name, member.published]));
  return {
    schema,
    notes: [
      ...(missing > 0 ? [`${missing} of ${parameters.length} parameters are left out`] : []),
      ...[...notes].slice(0, MAX_NOTES),
    ],
    toPublished: (input) =>
      Object.fromEntries(Object.entries(input).map(([name, value]) => [published.get(name) ?? name, value])),
  };
}

/** A name that is short whatever others a publisher has taken. */
function alias(position: number, taken: ReadonlySet<string>): string {
  const plain = `input_${position + 1}`;
  let name = plain;
  for (let n = 2; taken.has(name); n += 1) name = `${plain}_${n}`;
  return name;
}

function toMember(parameter: ParameterDefinition, name: string, notes: Set<string>): Member {
  const leaveOut = (what: string) => notes.add(`${name}: ${what} is left out`);
  const { type, schema } = parameter;
  const known = isJsonType(type) ? type : undefined;
  if (type !== undefined && known === undefined) leaveOut(`the type ${marked(type, NAME_TOKENS)}`);
  const typed = isObject(schema) && !Object.hasOwn(schema, 'type') ? { ...schema, type: known } : schema;
  let own = (schema !== undefined && copySchema(typed, leaveOut)) || {};
  if (known && own.type && own.type !== known && !(known === 'number' && own.type === 'integer')) {
    leaveOut('a schema of another type');
    own = {};
  }
  const { description: ownDescription, ...rest } = own;
  const bareType = own.type ?? known;
  const bare: InputSchema = bareType === undefined ? {} : { type: bareType };
  const details: InputSchema = { ...rest, ...bare };
  if (parameter.enum !== undefined) {
    const values = copyEnum(parameter.enum, bareType);
    if (values) details.enum = values;
    else leaveOut('enum');
  }
  const required = parameter.required === true;
  if (parameter.default !== undefined && !required) {
    if (isPlain(parameter.default) && issuesOf(details, parameter.default).length === 0)
      details.default = parameter.default;
    else leaveOut('default');
  }
  const called =
    name === parameter.name ? '' : `Its publisher calls it ${marked(parameter.name, NAME_TOKENS)}. `;
  const { description = '' } = parameter;
  return {
    ...{ name, published: parameter.name, required, bare, details },
    words: (tokens) => {
      const words = description === '' ? (ownDescription ?? '') : describe(description, tokens);
      return (called + words).trim();
    },
  };
}

/** The schemas of those that have room by name and type, the required ones first; of the rest each gets an even share. */
function spread(members: readonly Member[], notes: Set<string>): Map<Member, InputSchema> {
  let left = MAX_TOKENS - FRAME_TOKENS;
  const admitted = new Set<Member>();
  for (const member of [...members].sort((a, b) => Number(b.required) - Number(a.required))) {
    const cost = jsonTokens({ [member.name]: member.bare }) + jsonTokens([member.name]);
    if (cost > left) continue;
    left -= cost;
    admitted.add(member);
  }
  const extra = ({ bare }: Member, schema: InputSchema) => jsonTokens(schema) - jsonTokens(bare);
  const wholes = members
    .filter((member) => admitted.has(member))
    .map((member) => {
      const schema = described(member, member.details, DESCRIPTION_TOKENS);
      return { member, schema, need: extra(member, schema) };
    });
  const share = evenShare(
    wholes.map(({ need }) => need),
    left,
  );
  return new Map(
    wholes.map(({ member, schema, need }) => {
      if (need <= share) return [member, schema];
      const isRoomy = extra(member, member.details) <= share;
      if (!isRoomy) notes.add(`${member.name}: all but its type is left out`);
      const base = isRoomy ? member.details : member.bare;
      const room = share - extra(member, described(member, base, 0));
      return [member, room < LEAST_TOKENS ? base : described(member, base, room)];
    }),
  );
}

function described(member: Member, schema: InputSchema, tokens: number): InputSchema {
  const description = member.words(tokens);
  return description === '' ? schema : { ...schema, description };
}
