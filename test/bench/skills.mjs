// Providers with skills: what a crawl of a large, plausible internet would hand to a store.
import { recordToStored } from './dist/registry/document.js';
import { between, COMMON, createRandom, pick, WORDS, zipf } from './vocabulary.mjs';

export const SKILLS_PER_PROVIDER = 10;

/** When the first provider is looked at; each later one a millisecond later. */
const START = Date.UTC(2026, 0, 1);
const DAY = 86_400_000;

/** In these shares. */
const LANGUAGES = [...Array(18).fill('latin'), 'chinese', 'japanese'];
const TYPES = ['api', 'api', 'knowledge', 'task', 'plugin'];
const ACCESS = [...Array(15).fill('public'), ...Array(4).fill('restricted'), 'private'];
const AUTH = [
  { type: 'none' },
  { type: 'none' },
  { type: 'api_key', header: 'X-API-Key', description: 'Ask for a key in the developer portal.' },
  {
    type: 'oauth2',
    oauth2: {
      authorization_url: 'https://login.example/authorize',
      token_url: 'https://login.example/token',
      scopes: { read: 'Read results', run: 'Start runs' },
    },
  },
  {
    type: 'custom',
    custom: {
      instructions: 'Sign the body with the key from your contract.',
      parameters: [{ name: 'signature', type: 'string', required: true }],
    },
  },
];
const PROTOCOLS = ['1.0.0', '1.0.0', '1.0.2', '1.1.0'];

const ranks = { latin: zipf(50_000), chinese: zipf(20_000), japanese: zipf(20_000) };

/** The look at the provider with this number, as the client tells a store of it. */
export async function providerUpdate(number) {
  const random = createRandom(`provider ${number}`);
  const domain = `${WORDS.latin[number % 5000]}-${number}.example`;
  const at = START + number;
  const records = Array.from({ length: SKILLS_PER_PROVIDER }, (_, k) => record(random, domain, at, k));
  return {
    domain,
    view: 'anonymous',
    at,
    status: 'ok',
    freshUntil: at + DAY,
    skills: await Promise.all(records.map(recordToStored)),
    standIns: [],
    listed: records.map(({ id }) => id),
    withdrawn: [],
    forgetBefore: at - 30 * DAY,
  };
}

function record(random, domain, at, k) {
  const descriptor = makeDescriptor(random, domain, k);
  const { id, name, version, capability_type, description, access } = descriptor;
  const url = `https://${domain}/skills/${id}.json`;
  return {
    domain,
    id,
    name,
    capability_type,
    description,
    descriptor_url: url,
    access,
    version,
    fetchedAt: at,
    freshUntil: at + DAY + between(random, 0, DAY),
    warnings: [],
    descriptorUrl: url,
    view: 'anonymous',
    descriptor,
  };
}

/** A valid descriptor of about 2 KB of JSON. */
export function makeDescriptor(random, domain, k) {
  const language = pick(random, LANGUAGES);
  const base = `https://${domain}`;
  const slug = `${WORDS.latin[ranks.latin(random)]}-${k}`;
  return {
    protocol: { version: pick(random, PROTOCOLS) },
    id: `${domain.split('.').reverse().join('.')}.${slug}`,
    name: text(random, language, between(random, 2, 4), 0.02),
    version: `${between(random, 0, 4)}.${between(random, 0, 20)}.${between(random, 0, 9)}${random() < 0.03 ? '-beta.1' : ''}`,
    capability_type: pick(random, TYPES),
    description: text(random, language, between(random, 25, 55), 0.36),
    provider: { name: domain, url: `${base}/` },
    endpoint: {
      url: `${base}/v1/${slug}`,
      method: 'POST',
      content_type: 'application/json',
      status_url: `${base}/v1/runs/{execution_id}`,
    },
    inputs: [
      parameter('query', 'What to look for, as free text or as an identifier.', true, {
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
      description: 'What was found, best match first.',
      content_type: 'application/json',
      schema: {
        type: 'object',
        required: ['items'],
        properties: {
          items: { type: 'array', items: { type: 'object', required: ['id', 'title'] } },
          next: { type: ['string', 'null'], description: 'Cursor of the next page.' },
        },
      },
    },
    auth: pick(random, AUTH),
    access: pick(random, ACCESS),
    tags: Array.from({ length: between(random, 2, 5) }, () => text(random, language, 1, 0.01)),
    documentation_url: `${base}/docs/${slug}`,
    updated_at: '2026-01-01T08:00:00Z',
  };
}

function parameter(name, description, required, schema) {
  return { name, type: 'string', description, required, schema };
}

/** `count` words, one of them the common one with the given probability. */
function text(random, language, count, common) {
  const words = Array.from({ length: count }, () => WORDS[language][ranks[language](random)]);
  if (random() < common) words[between(random, 0, count - 1)] = COMMON[language];
  return words.join(language === 'latin' ? ' ' : '');
}
