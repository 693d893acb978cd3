import { gzipSync } from 'node:zlib';
import type { ProviderOutcome, SkillDescriptor, SkillIndex, SkillIndexEntry } from '../src/protocol/index.ts';
import { absent, BAD_ANSWERS, type BadAnswer, type FaultCode } from './answers.ts';
import { changed, HOSTILE_TEXT, validDescriptor, withUnknownMembers } from './documents.ts';
import { createProvider, WELL_KNOWN_PATH } from './provider.ts';
import type { MockSite } from './site.ts';

/** One way in which a site can be wrong, or merely odd, and what a consumer with default settings must make of it. */
export interface Fault {
  /** What the site does, as in "the site shows its web page with 200". */
  describe: string;
  /**
   * `index`: no skill is found. `entry`: the first entry of the index is rejected (with its double for `duplicate-id`) and
   * all others are accepted. `nothing`: all are accepted.
   */
  hits: 'index' | 'entry' | 'nothing';
  /** Of the ProviderOutcome. */
  status: ProviderOutcome['status'];
  /** Of the ProviderOutcome for `index`, of the rejection for `entry`. */
  code?: FaultCode;
  /** The site with the fault. It must show one skill or more to anonymous callers; default one with three. */
  make(site?: MockSite): MockSite;
}

/** Literal hosts that lead into private networks or to the machine itself, oddly spelt ones among them. */
export const PRIVATE_HOSTS = [
  '127.0.0.1',
  '127.1',
  '0x7f.1',
  '2130706433',
  '10.0.0.1',
  '100.64.0.1',
  '169.254.169.254',
  '192.168.0.1',
  '0.0.0.0',
  'localhost',
  'localhost.',
  '[::1]',
  '[fd00::1]',
  '[::ffff:127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[2002:7f00:1::]',
] as const;

const ANSWER_NAMES = Object.keys(BAD_ANSWERS) as (keyof typeof BAD_ANSWERS)[];
const MOVED_PATH = '/skill-index.json';
const CHANGED = '/changed';

/** Every fault by its name: `index-*` for the index, `descriptor-*` and `entry-*` for the first skill, `harmless-*` for none. */
export const FAULTS = {
  ...named('index', ANSWER_NAMES, (name) => indexFault(BAD_ANSWERS[name])),
  'index-404': indexFault(absent('INDEX_NOT_FOUND', 404)),
  'index-405': indexFault(absent('INDEX_NOT_FOUND', 405)),
  'index-410': indexFault(absent('INDEX_NOT_FOUND', 410)),
  'index-without-provider': fault(
    'index',
    'VALIDATION_ERROR',
    'leaves the provider out of its index',
    (site) => editIndex(site, (index) => changed(index, '/provider')),
  ),
  'index-20001-skills': fault('index', 'TOO_MANY_SKILLS', 'lists 20,001 skills', (site) =>
    editIndex(site, (index) => ({
      ...index,
      skills: Array.from({ length: 20_001 }, (_, n) => ({ ...index.skills[0], id: `skill-${n}` })),
    })),
  ),

  ...named('descriptor', ANSWER_NAMES, (name) => descriptorFault(BAD_ANSWERS[name])),
  'descriptor-404': descriptorFault(absent('SKILL_NOT_FOUND', 404)),
  'descriptor-410': descriptorFault(absent('SKILL_NOT_FOUND', 410)),
  'descriptor-other-id': editedDescriptor(
    'DESCRIPTOR_MISMATCH',
    'another id than its entry',
    (descriptor) => ({
      ...descriptor,
      id: 'com.example.another-skill',
    }),
  ),
  'descriptor-other-type': editedDescriptor(
    'DESCRIPTOR_MISMATCH',
    'another type than its entry',
    (descriptor) => ({
      ...descriptor,
      capability_type: descriptor.capability_type === 'api' ? 'task' : 'api',
    }),
  ),
  'descriptor-other-access': editedDescriptor(
    'DESCRIPTOR_MISMATCH',
    'another access than its entry',
    (descriptor) => ({
      ...descriptor,
      access: descriptor.access === 'public' ? 'restricted' : 'public',
    }),
  ),
  'descriptor-without-endpoint': editedDescriptor('VALIDATION_ERROR', 'no endpoint', (descriptor) =>
    changed(descriptor, '/endpoint'),
  ),
  'descriptor-wrong-type': editedDescriptor(
    'VALIDATION_ERROR',
    'a type that no version names',
    (descriptor) => changed(descriptor, '/capability_type', 'tool'),
  ),

  'entry-without-access': editedEntry('VALIDATION_ERROR', 'leaves the access out of an entry', (entry) =>
    changed(entry, '/access'),
  ),
  'entry-proto-access': editedEntry(
    'VALIDATION_ERROR',
    'states the access of an entry in __proto__ only',
    (entry) => ({
      ...JSON.parse('{"__proto__":{"access":"public"}}'),
      ...changed(entry, '/access'),
    }),
  ),
  'entry-numeric-id': editedEntry('VALIDATION_ERROR', 'gives an entry a number for an id', (entry) => ({
    ...entry,
    id: 2 ** 53,
  })),
  'entry-private': editedEntry('PRIVATE_EXPOSED', 'lists a private skill to everybody', (entry) => ({
    ...entry,
    access: 'private',
  })),
  'entry-duplicate-id': fault('entry', 'DUPLICATE_ID', 'lists the first entry once more at the end', (site) =>
    editIndex(site, (index) => ({ ...index, skills: [...index.skills, index.skills[0]] })),
  ),
  'entry-elsewhere': entryUrl('ORIGIN_REFUSED', 'https://elsewhere.example/skills/x.json'),
  'entry-javascript': entryUrl('URL_REFUSED', 'javascript:alert(1)'),
  'entry-file': entryUrl('URL_REFUSED', 'file:///etc/passwd'),
  'entry-user-info': entryUrl('URL_REFUSED', 'https://user:secret@elsewhere.example/skills/x.json'),
  ...named('entry', PRIVATE_HOSTS, (host) => entryUrl('ADDRESS_REFUSED', `https://${host}/skills/x.json`)),

  'harmless-bom': harmless('starts every document with a byte order mark', (site) =>
    rewrite(site, (text) => `\ufeff${text}`),
  ),
  'harmless-gzip': harmless('compresses every document', (site) =>
    rewrite(site, (text) => Uint8Array.from(gzipSync(text)), { 'content-encoding': 'gzip' }),
  ),
  'harmless-octet-stream': harmless('calls every document application/octet-stream', (site) =>
    rewrite(site, (text) => text, { 'content-type': 'application/octet-stream' }),
  ),
  'harmless-redirect': harmless('moved its index to another path', (site) => async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === WELL_KNOWN_PATH)
      return new Response(null, { status: 301, headers: { location: MOVED_PATH } });
    return site(pathname === MOVED_PATH ? redirected(request, WELL_KNOWN_PATH) : request);
  }),
  'harmless-next-minor': harmless('speaks 1.9.0', (site) =>
    edit(site, (document) => ({ ...document, protocol: { version: '1.9.0' } })),
  ),
  'harmless-unknown-members': harmless('has unknown members at every level, __proto__ among them', (site) =>
    edit(site, withUnknownMembers),
  ),
  'harmless-hostile-text': harmless(
    'has terminal escapes and orders to a model in its descriptions',
    (site) =>
      edit(site, (document) =>
        isIndex(document)
          ? { ...document, skills: document.skills.map((entry) => ({ ...entry, description: HOSTILE_TEXT })) }
          : { ...document, description: HOSTILE_TEXT },
      ),
  ),
  'harmless-version-drift': harmless('has descriptors that are one version ahead of its index', (site) =>
    edit(site, (document) => (isIndex(document) ? document : { ...document, version: '99.0.0' })),
  ),
} as const satisfies Record<string, Fault>;

/** A name of {@link FAULTS}. */
export type FaultName = keyof typeof FAULTS;

/** A provider that works, to put faults into. */
function sampleSite(): MockSite {
  const skills = ['one', 'two', 'three'].map((name) => validDescriptor({ id: `com.example.${name}` }));
  return createProvider({ domain: 'faulty.example', name: 'Faulty', skills }).handle;
}

function named<P extends string, N extends string>(
  prefix: P,
  names: readonly N[],
  make: (name: N) => Fault,
): Record<`${P}-${N}`, Fault> {
  const faults = Object.fromEntries(names.map((name) => [`${prefix}-${name}`, make(name)]));
  return faults as Record<`${P}-${N}`, Fault>;
}

function fault(
  hits: 'index' | 'entry',
  code: FaultCode,
  describe: string,
  make: (site: MockSite) => MockSite,
): Fault {
  const status = hits === 'entry' ? 'partial' : code === 'INDEX_NOT_FOUND' ? 'none' : 'failed';
  return { describe, hits, status, code, make: (site = sampleSite()) => make(site) };
}

function harmless(describe: string, make: (site: MockSite) => MockSite): Fault {
  return { describe, hits: 'nothing', status: 'ok', make: (site = sampleSite()) => make(site) };
}

function indexFault({ describe, code, answer }: BadAnswer): Fault {
  return fault('index', code, `${describe} for its index`, (site) => async (request) => {
    return new URL(request.url).pathname === WELL_KNOWN_PATH ? answer(request) : site(request);
  });
}

function descriptorFault({ describe, code, answer }: BadAnswer): Fault {
  return fault('entry', code, `${describe} for a descriptor`, (site) =>
    withFirstDescriptor(site, (request) => answer(request)),
  );
}

function editedDescriptor(
  code: FaultCode,
  what: string,
  change: (descriptor: SkillDescriptor) => unknown,
): Fault {
  return fault('entry', code, `has a descriptor with ${what}`, (site) => {
    const edited = edit(site, (document) => (isIndex(document) ? document : change(document)));
    return withFirstDescriptor(site, (request) =>
      edited(redirected(request, new URL(request.url).pathname.slice(0, -CHANGED.length))),
    );
  });
}

function editedEntry(code: FaultCode, describe: string, change: (entry: SkillIndexEntry) => unknown): Fault {
  return fault('entry', code, describe, (site) => editFirstEntry(site, change));
}

function entryUrl(code: FaultCode, url: string): Fault {
  return editedEntry(code, `has an entry that leads to ${url}`, (entry) => ({
    ...entry,
    descriptor_url: url,
  }));
}

/** The site with a first entry that leads to `answer` instead of to its descriptor. */
function withFirstDescriptor(site: MockSite, answer: MockSite): MockSite {
  const marked = editFirstEntry(site, (entry) => ({
    ...entry,
    descriptor_url: entry.descriptor_url + CHANGED,
  }));
  return async (request) =>
    new URL(request.url).pathname.endsWith(CHANGED) ? answer(request) : marked(request);
}

function editFirstEntry(site: MockSite, change: (entry: SkillIndexEntry) => unknown): MockSite {
  return editIndex(site, (index) => {
    const [first, ...others] = index.skills;
    return { ...index, skills: first ? [change(first), ...others] : [] };
  });
}

function editIndex(site: MockSite, change: (index: SkillIndex) => unknown): MockSite {
  return edit(site, (document) => (isIndex(document) ? change(document) : document));
}

/** An own `endpoint` marks a descriptor, whatever unknown members either kind has. */
function isIndex(document: SkillIndex | SkillDescriptor): document is SkillIndex {
  return !Object.hasOwn(document, 'endpoint');
}

/** The site with every document changed that it serves. */
function edit(site: MockSite, change: (document: SkillIndex | SkillDescriptor) => unknown): MockSite {
  return rewrite(site, (text) => JSON.stringify(change(JSON.parse(text))));
}

/** The site with another body, and these headers, in every document that it serves. */
function rewrite(
  site: MockSite,
  change: (text: string) => BodyInit,
  headers: Record<string, string> = {},
): MockSite {
  return async (request) => {
    const response = await site(request);
    if (response.status !== 200 || request.method !== 'GET') return response;
    const replaced = { ...Object.fromEntries(response.headers), ...headers };
    return new Response(change(await response.text()), { headers: replaced });
  };
}

/** The same request for another path of the same site. */
function redirected(request: Request, path: string): Request {
  return new Request(new URL(path, request.url), request);
}
