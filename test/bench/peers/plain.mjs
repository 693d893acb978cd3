// What one would write without this library: ky, p-limit, Ajv, semver and lru-cache, put together straightforwardly.
import { Ajv2020 } from 'ajv/dist/2020.js';
import ky from 'ky';
import { LRUCache } from 'lru-cache';
import semver from 'semver';
import { skillDescriptorSchema, skillIndexSchema } from '../dist/protocol/schema.js';
import { walker } from './walk.mjs';

const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true });
const isIndex = ajv.compile(skillIndexSchema);
const isDescriptor = ajv.compile(skillDescriptorSchema);

export function open({ timeoutMs = 10_000 }) {
  const cache = new LRUCache({ max: 50_000 });
  const client = ky.create({ timeout: timeoutMs, throwHttpErrors: false });

  async function getJson(url, { refresh }) {
    const kept = cache.get(url);
    if (kept && !refresh && kept.freshUntil > Date.now()) return kept.document;
    const response = await client(url, kept?.etag ? { headers: { 'if-none-match': kept.etag } } : {});
    if (response.status !== 304 && !response.ok) throw new Error(`${url} answers ${response.status}`);
    const document = response.status === 304 ? kept.document : await response.json();
    const maxAge = Number(/max-age=(\d+)/.exec(response.headers.get('cache-control'))?.[1] ?? 0);
    const etag = response.headers.get('etag');
    cache.set(url, { document, etag, freshUntil: Date.now() + maxAge * 1000 });
    return document;
  }

  return walker(getJson, { checkIndex: checkWith(isIndex), checkDescriptor: checkWith(isDescriptor) });
}

const checkWith = (validate) => (document) => {
  if (!validate(document)) throw new Error(ajv.errorsText(validate.errors));
  if (!semver.satisfies(document.protocol.version, '1.x')) throw new Error('the version is incompatible');
};
