import type {
  AuthConfig,
  CapabilityType,
  JsonValue,
  ParameterDefinition,
  SkillDescriptor,
} from '../src/protocol/index.ts';
import type { Random } from './random.ts';

/** A trade that providers are in: its name is the first part of their domain. */
export interface Topic {
  name: string;
  /** What its skills are about. */
  subjects: readonly [string, ...string[]];
}

/** What the providers of the generated internet do. */
export const TOPICS: readonly [Topic, ...Topic[]] = [
  {
    name: 'weather',
    subjects: ['local forecast', 'storm warnings', 'sea state', 'pollen count', 'air quality'],
  },
  {
    name: 'translate',
    subjects: ['legal text', 'product pages', 'subtitles', 'chat messages', 'place names'],
  },
  {
    name: 'maps',
    subjects: ['street addresses', 'walking routes', 'parking spaces', 'elevation', 'charging points'],
  },
  {
    name: 'finance',
    subjects: ['exchange rates', 'invoices', 'bank statements', 'share prices', 'tax codes'],
  },
  {
    name: 'travel',
    subjects: ['train times', 'hotel rooms', 'flight delays', 'visa rules', 'luggage limits'],
  },
  {
    name: 'health',
    subjects: ['drug interactions', 'clinic hours', 'lab values', 'nutrition facts', 'first aid'],
  },
  {
    name: 'law',
    subjects: ['court rulings', 'contract clauses', 'trade marks', 'privacy notices', 'licences'],
  },
  {
    name: 'library',
    subjects: ['book records', 'journal articles', 'citations', 'reading lists', 'archives'],
  },
  {
    name: 'shop',
    subjects: ['stock levels', 'parcel tracking', 'returns', 'price history', 'product reviews'],
  },
  {
    name: 'media',
    subjects: ['photo captions', 'audio transcripts', 'video chapters', 'fonts', 'colour palettes'],
  },
  { name: 'energy', subjects: ['power prices', 'solar yield', 'meter readings', 'grid load', 'heat pumps'] },
  {
    name: 'code',
    subjects: ['pull requests', 'build logs', 'dependency updates', 'crash reports', 'test coverage'],
  },
];

type Kinds = Record<CapabilityType, readonly [string, ...string[]]>;

const VERBS: Kinds = {
  api: ['Look up', 'Search', 'Compare', 'Convert'],
  knowledge: ['Explain', 'Answer questions about', 'Summarise'],
  task: ['Monitor', 'Collect', 'Prepare a report on'],
  plugin: ['Show', 'Edit', 'Embed'],
};

const PROMISES: readonly [string, ...string[]] = [
  'Results carry their source and the time they were last checked.',
  'Answers arrive within two seconds for nine calls out of ten; longer runs report their progress.',
  'Works for more than forty countries and falls back to the nearest region where data are thin.',
  'Accepts free text as well as structured input and says which reading of the input it chose.',
  'Limits are generous for occasional use; ask us before you send more than a thousand calls a day.',
  'Nothing that is sent is kept for longer than the call takes, except for counters needed for billing.',
];

const AUDIENCES: readonly [string, ...string[]] = [
  'small teams',
  'dispatchers',
  'editors',
  'analysts',
  'households',
];

const CAPABILITY_TYPES = ['api', 'knowledge', 'task', 'plugin'] as const;
/** Public skills are the most common kind. */
const ACCESS_LEVELS = ['public', 'public', 'public', 'restricted', 'private'] as const;
const AUTH_TYPES = ['none', 'none', 'api_key', 'oauth2', 'custom'] as const;

/** The `n`th skill of a provider: a valid descriptor of 2 to 3 KB. The id is distinct for every `n`. */
export function generateSkill(
  random: Random,
  topic: Topic,
  domain: string,
  provider: string,
  n: number,
): SkillDescriptor {
  const type = random.pick(CAPABILITY_TYPES);
  const subject = random.pick(topic.subjects);
  const slug = `${subject.replace(/\W+/g, '-')}-${n}`;
  const reversed = domain.split('.').reverse().join('.');
  const base = `https://${domain}`;
  const year = random.integer(2023, 2025);
  return {
    protocol: {
      version: random.pick(['1.0.0', '1.0.0', '1.0.2', '1.1.0']),
      changelog_url: `${base}/changelog`,
    },
    id: `${reversed}.${slug}`,
    name: `${random.pick(VERBS[type])} ${subject}`,
    version: `${random.integer(0, 4)}.${random.integer(0, 20)}.${random.integer(0, 9)}`,
    capability_type: type,
    description: [
      `${random.pick(VERBS[type])} ${subject} for ${random.pick(AUDIENCES)}.`,
      ...Array.from({ length: random.integer(2, 4) }, () => random.pick(PROMISES)),
    ].join(' '),
    provider: { name: provider, url: `${base}/` },
    endpoint: {
      url: `https://api.${domain}/v1/${slug}`,
      method: 'POST',
      content_type: 'application/json',
      status_url: `https://api.${domain}/v1/runs/{execution_id}`,
      result_url: `https://api.${domain}/v1/runs/{execution_id}/result`,
    },
    inputs: [
      parameter('query', `What to look for among the ${subject}, as free text or as an identifier.`, true, {
        type: 'string',
        minLength: 1,
        maxLength: 2000,
      }),
      parameter('language', 'Language of the answer as a BCP 47 tag.', false, {
        type: 'string',
        default: 'en',
      }),
      parameter('limit', 'How many results to return at most.', false, {
        type: 'integer',
        minimum: 1,
        maximum: 100,
      }),
      parameter('since', 'Only what has changed after this time, in ISO 8601.', false, { type: 'string' }),
    ],
    output: {
      type: 'object',
      description: `The matching ${subject}, best match first.`,
      content_type: 'application/json',
      schema: {
        type: 'object',
        required: ['items'],
        properties: {
          items: {
            type: 'array',
            items: {
              type: 'object',
              required: ['id', 'title'],
              properties: {
                id: { type: 'string' },
                title: { type: 'string' },
                score: { type: 'number', minimum: 0, maximum: 1 },
                source: { type: 'string', description: 'Where the item comes from.' },
              },
            },
          },
          next: { type: ['string', 'null'], description: 'Cursor of the next page.' },
        },
      },
    },
    auth: auth(random, base),
    access: random.pick(ACCESS_LEVELS),
    tags: [topic.name, ...subject.split(' '), type],
    documentation_url: `${base}/docs/${slug}`,
    created_at: `${year}-0${random.integer(1, 9)}-${random.integer(10, 28)}T08:00:00Z`,
    updated_at: `${year + 1}-0${random.integer(1, 9)}-${random.integer(10, 28)}T16:30:00Z`,
  };
}

function parameter(
  name: string,
  description: string,
  required: boolean,
  schema: { type: string; [keyword: string]: JsonValue },
): ParameterDefinition {
  return { name, type: schema.type, description, required, schema };
}

function auth(random: Random, base: string): AuthConfig {
  const type = random.pick(AUTH_TYPES);
  switch (type) {
    case 'none':
      return { type, description: 'Open to everybody, within fair use.' };
    case 'api_key':
      return { type, description: 'Ask for a key in the developer portal.', header: 'X-API-Key' };
    case 'oauth2':
      return {
        type,
        oauth2: {
          authorization_url: `${base}/oauth/authorize`,
          token_url: `${base}/oauth/token`,
          scopes: { read: 'Read results', run: 'Start runs' },
        },
      };
    case 'custom':
      return {
        type,
        custom: {
          instructions: 'Sign the request body with the key from your contract.',
          parameters: [{ name: 'signature', type: 'string', required: true }],
        },
      };
  }
}
