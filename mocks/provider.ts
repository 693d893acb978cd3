import { createHash } from 'node:crypto';
import type { ProtocolVersion, SkillDescriptor, SkillIndex, SkillIndexEntry } from '../src/protocol/index.ts';
import {
  createInvocations,
  EXECUTIONS_PATH,
  type InvocationOptions,
  invocationEndpoint,
  invocationPath,
} from './invocations.ts';
import { errorResponse } from './responses.ts';
import type { MockSite } from './site.ts';

/** Where every provider publishes its index (protocol section 2). */
export const WELL_KNOWN_PATH = '/.well-known/skill-sharing';

/** What a caller must present to see private skills. */
export interface HeaderCredential {
  /** Such as `X-API-Key`. */
  header: string;
  /** The whole value of that header. */
  value: string;
}

export interface ProviderOptions {
  /** `host` or `host:port`; names the provider and is the key to mount it under. */
  domain: string;
  /** The provider's name in the index. */
  name: string;
  /** What is published; the ids must be distinct. */
  skills: readonly SkillDescriptor[];
  /** Opens the private skills: a string is sent as `Authorization: Bearer <token>`. Default: nobody sees them. */
  token?: string | HeaderCredential;
  /** `Cache-Control` of every document; default `max-age=300`. */
  cacheControl?: string;
  /** `protocol.version` of the index; default `1.0.0`. */
  protocolVersion?: string;
  /**
   * Runs the skills here: each descriptor is served with an endpoint at this provider instead of its own. Default: endpoints are
   * as the descriptors have them, and nothing runs.
   */
  invocations?: InvocationOptions;
}

/** One request that a provider answered. */
export interface LoggedRequest {
  method: string;
  /** With its query string. */
  path: string;
  /** Names in lower case. */
  headers: Record<string, string>;
  /** Where there was one. */
  body?: string;
  /** Of the answer. */
  status: number;
}

/** A provider that keeps to the protocol and to HTTP, and can be watched and changed. */
export interface MockProvider {
  readonly domain: string;
  /** What is published now, private skills included. */
  readonly skills: readonly SkillDescriptor[];
  /** Every request so far, oldest first; empty it with `requests.length = 0`. */
  readonly requests: LoggedRequest[];
  readonly handle: MockSite;
  /** Publishes these skills instead; the ids must be distinct. */
  setSkills(skills: readonly SkillDescriptor[]): void;
}

type View = 'anonymous' | 'authenticated' | 'refused';

/**
 * The path of a skill's descriptor. The suffix keeps the ids `.` and `..` from being dot segments of the path.
 * Throws a URIError for an id with a lone surrogate.
 */
export function descriptorPath(id: string): string {
  return `/skills/${encodeURIComponent(id)}.json`;
}

/** The line that lists `skill` in the index of a provider reachable at `origin`. */
export function indexEntry(skill: SkillDescriptor, origin: string): SkillIndexEntry {
  return {
    id: skill.id,
    name: skill.name,
    capability_type: skill.capability_type,
    description: skill.description,
    descriptor_url: new URL(descriptorPath(skill.id), origin).href,
    access: skill.access,
    version: skill.version,
  };
}

/**
 * A correct provider (protocol sections 2, 3 and 6): the index at the well-known path and one descriptor per skill, both
 * with strong ETag, `Cache-Control` and conditional requests (RFC 9110, 9111).
 *
 * An anonymous caller sees no private skill in the index and gets 401 for its descriptor; the right credential opens both;
 * a wrong one gets 401 everywhere. Descriptor URLs are absolute, at the origin the request came to, so the same provider
 * works on any host and port. GET and HEAD are answered, other methods get 405, other paths 404. With `invocations` it also runs
 * its skills (sections 5 and 6).
 */
export function createProvider(options: ProviderOptions): MockProvider {
  const { domain, name, token, cacheControl = 'max-age=300', protocolVersion = '1.0.0' } = options;
  const credential =
    typeof token === 'string' ? { header: 'Authorization', value: `Bearer ${token}` } : token;
  const protocol: ProtocolVersion = { version: protocolVersion };
  const invocations = options.invocations && createInvocations(options.invocations);
  const requests: LoggedRequest[] = [];
  let skills: readonly SkillDescriptor[] = [];
  let byPath = new Map<string, SkillDescriptor>();
  let byEndpoint = new Map<string, SkillDescriptor>();

  function setSkills(published: readonly SkillDescriptor[]): void {
    const paths = byPathOf(published, descriptorPath);
    if (paths.size < published.length) throw new TypeError('skills: the ids must be distinct');
    skills = published;
    byPath = paths;
    byEndpoint = byPathOf(published, invocationPath);
  }

  function viewOf(request: Request): View {
    const presented = credential && request.headers.get(credential.header);
    if (presented === undefined || presented === null) return 'anonymous';
    return presented === credential?.value ? 'authenticated' : 'refused';
  }

  function serveDocument(request: Request, document: SkillIndex | SkillDescriptor): Response {
    const body = JSON.stringify(document);
    const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
    const headers = new Headers({ etag, 'cache-control': cacheControl });
    if (credential) headers.set('vary', credential.header);
    if (matches(request.headers.get('if-none-match'), etag))
      return new Response(null, { status: 304, headers });
    headers.set('content-type', 'application/json');
    return new Response(request.method === 'HEAD' ? null : body, { headers });
  }

  function answer(request: Request): Response | Promise<Response> {
    const { origin, pathname } = new URL(request.url);
    const invoked = byEndpoint.get(pathname);
    if (invocations && invoked) return invocations.start(invoked, request);
    if (invocations && pathname.startsWith(EXECUTIONS_PATH)) {
      return invocations.ask(pathname.slice(EXECUTIONS_PATH.length));
    }
    const skill = byPath.get(pathname);
    if (!skill && pathname !== WELL_KNOWN_PATH) {
      return errorResponse(404, 'SKILL_NOT_FOUND', 'There is nothing at this URL.');
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return errorResponse(405, 'METHOD_NOT_ALLOWED', 'Only GET and HEAD are answered.', {
        allow: 'GET, HEAD',
      });
    }
    const view = viewOf(request);
    if (view === 'refused' || (skill?.access === 'private' && view === 'anonymous')) {
      return errorResponse(401, 'AUTH_REQUIRED', 'A valid credential is needed.', {
        'www-authenticate': 'Bearer',
      });
    }
    if (skill) {
      const endpoint = invocations ? invocationEndpoint(skill.id, origin) : skill.endpoint;
      return serveDocument(request, { ...skill, endpoint });
    }
    const visible = view === 'authenticated' ? skills : skills.filter(({ access }) => access !== 'private');
    return serveDocument(request, {
      protocol,
      provider: { name, url: `https://${domain}/` },
      skills: visible.map((each) => indexEntry(each, origin)),
    });
  }

  setSkills(options.skills);
  return {
    domain,
    requests,
    setSkills,
    get skills() {
      return skills;
    },
    async handle(request) {
      const body = request.body ? await request.clone().text() : '';
      const response = await answer(request);
      const { pathname, search } = new URL(request.url);
      requests.push({
        method: request.method,
        path: pathname + search,
        headers: Object.fromEntries(request.headers),
        ...(body && { body }),
        status: response.status,
      });
      return response;
    },
  };
}

function byPathOf(skills: readonly SkillDescriptor[], pathOf: (id: string) => string) {
  return new Map(skills.map((skill) => [new URL(pathOf(skill.id), 'https://any').pathname, skill]));
}

/** Whether `If-None-Match` holds this ETag, compared weakly (RFC 9110 section 13.1.2). */
function matches(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false;
  const candidates = ifNoneMatch.split(',').map((candidate) => candidate.trim().replace(/^W\//, ''));
  return candidates.includes('*') || candidates.includes(etag);
}
