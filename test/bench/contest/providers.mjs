// What the providers of the contests publish: an index and ten descriptors of 2.7 KB on average, the same on every machine.
import { makeDescriptor } from '../skills.mjs';
import { between, createRandom, WORDS, zipf } from '../vocabulary.mjs';

const SKILLS = 10;
/** Providers whose texts differ; after that they come again under other names. */
const VARIETY = 1000;
/** Stand for the provider's label and for its host with port. */
const LABEL = 'site-00000';
const HOST = '{host}';

const rank = zipf(50_000);
const templates = new Map();

/** The bodies that a host with this label and number serves, by path. */
export function bodiesOf(label, number, host) {
  const variety = number % VARIETY;
  if (!templates.has(variety)) templates.set(variety, makeTemplates(variety));
  const fill = (template) => template.replaceAll(LABEL, label).replaceAll(HOST, host);
  return {
    index: () => fill(templates.get(variety).index),
    descriptor: (k) => fill(templates.get(variety).descriptors[k]),
    descriptors: () => templates.get(variety).descriptors.map(fill),
  };
}

export function prepareAll() {
  for (let number = 0; number < VARIETY; number++) bodiesOf('', number, '');
}

function makeTemplates(variety) {
  const random = createRandom(`contest ${variety}`);
  const descriptors = Array.from({ length: SKILLS }, (_, k) => ({
    ...makeDescriptor(random, `${LABEL}.example`, k),
    access: 'public',
    'x-terms': Array.from({ length: between(random, 65, 105) }, () => WORDS.latin[rank(random)]).join(' '),
  }));
  const entries = descriptors.map(({ id, name, capability_type, description, access, version }, k) => {
    const descriptor_url = `http://${HOST}/skills/${k}`;
    return { id, name, capability_type, description, descriptor_url, access, version };
  });
  const index = { protocol: { version: '1.0.0' }, provider: { name: LABEL }, skills: entries };
  return { index: JSON.stringify(index), descriptors: descriptors.map((each) => JSON.stringify(each)) };
}
