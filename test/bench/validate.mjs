// Descriptors, valid and invalid, judged by the library and by Ajv alone, compiled at run time.
import assert from 'node:assert';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { validateSkillDescriptor } from '../../dist/protocol.js';
import { skillDescriptorSchema } from './dist/protocol/schema.js';
import { makeDescriptor } from './skills.mjs';
import { createRandom } from './vocabulary.mjs';

const DOCUMENTS = 1000;
const REPEATED = 20;

const [rounds] = process.argv.slice(2).map(Number);
const random = createRandom('validation');
const make = (k) => JSON.parse(JSON.stringify(makeDescriptor(random, 'site.example', k)));
const valid = Array.from({ length: DOCUMENTS }, (_, k) => make(k));
const documents = { valid, invalid: valid.map((each, k) => spoilt(structuredClone(each), k)) };

// As ours, Ajv looks for all errors and counts own members alone; the lax one takes inherited members too, as it does by default.
const options = { allErrors: true, allowUnionTypes: true };
const ajv = new Ajv2020({ ...options, ownProperties: true }).compile(skillDescriptorSchema);
const lax = new Ajv2020(options).compile(skillDescriptorSchema);
const ways = { ours: (document) => validateSkillDescriptor(document).ok, ajv, lax };

const times = {};
for (const [kind, some] of Object.entries(documents)) {
  for (const [name, isValid] of Object.entries(ways)) {
    for (const document of some)
      assert.equal(isValid(document), kind === 'valid', `${name} on a ${kind} document`);
  }
  times[kind] = { ours: [], ajv: [], lax: [] };
  round(some);
  for (let i = 0; i < rounds; i++) {
    for (const [name, us] of Object.entries(round(some))) times[kind][name].push(us);
  }
}
process.send(times);

/** Microseconds for a document, each way. */
function round(some) {
  return Object.fromEntries(
    Object.entries(ways).map(([name, isValid]) => {
      const start = performance.now();
      let passed = 0;
      for (let i = 0; i < REPEATED; i++) for (const document of some) if (isValid(document)) passed++;
      const us = ((performance.now() - start) * 1000) / (REPEATED * some.length);
      assert.ok(passed === 0 || passed === REPEATED * some.length);
      return [name, us];
    }),
  );
}

/** One fault in each: a required member that is not there, or one with a value of another kind. */
function spoilt(document, k) {
  const members = Object.keys(document).filter((name) => skillDescriptorSchema.required.includes(name));
  const member = members[k % members.length];
  if (k % 2 === 0) delete document[member];
  else document[member] = 1;
  return document;
}
