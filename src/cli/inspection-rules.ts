import { ERROR_CODES, type ErrorCode } from '../index.ts';

/** `error`: a consumer will not take it, or the protocol forbids it · `warning`: mend it · `note`: worth knowing. */
export type Level = 'error' | 'warning' | 'note';

/** What a publisher is told of every finding with one code. */
interface Rule {
  level: Level;
  /** What was found. */
  what: string;
  /** Why it matters. */
  why: string;
  /** What to change. */
  change: string;
}

/** What no look at a publisher ends with. */
type OtherCode =
  | `STORE_${string}`
  | `EXECUTION_${string}`
  | `ENDPOINT_${string}`
  | 'INVALID_DOMAIN'
  | 'INVALID_INPUTS'
  | 'SKILL_FLAGGED'
  | 'APPROVAL_REFUSED'
  | 'RESULT_UNAVAILABLE'
  | 'ANSWER_MISMATCH'
  | 'LOCK_MISMATCH'
  | 'SNAPSHOT_INVALID'
  | 'CLIENT_CLOSED';

const NOT_READ = 'Consumers cannot read the document.';
const NOT_JSON = 'Consumers parse the body as JSON and take nothing else.';
const NOT_FOLLOWED = 'Consumers follow only URLs that are safe to fetch, whoever wrote them.';
const NO_DETOURS = 'Serve the document to programs as to browsers, with status 200.';

const ERRORS: Record<Exclude<ErrorCode, OtherCode>, Pick<Rule, 'why' | 'change'>> = {
  VALIDATION_ERROR: {
    why: 'A document that breaks the schema is rejected as a whole; in an index, the entry is.',
    change: 'Give the named member what is expected there.',
  },
  VERSION_INCOMPATIBLE: {
    why: 'Consumers of another MAJOR version must refuse the document (protocol, section 4).',
    change: 'Publish the MAJOR version that your consumers support.',
  },
  INDEX_NOT_FOUND: {
    why: 'Without an index nobody finds the skills of the domain.',
    change: 'Serve the index at /.well-known/skill-sharing, without a suffix, to GET.',
  },
  SKILL_NOT_FOUND: {
    why: 'Each entry of an index must lead to a valid descriptor (property 6).',
    change: 'Publish the descriptor at that URL, correct the URL, or take the entry out.',
  },
  DUPLICATE_ID: {
    why: 'Nobody can tell which one is meant, so that none is taken (property 5).',
    change: 'Give each skill of the index an id of its own.',
  },
  DESCRIPTOR_MISMATCH: {
    why: 'What the index promised is not what the descriptor is, so that the skill is not taken.',
    change: 'Write entry and descriptor from one source, and publish them together.',
  },
  PRIVATE_EXPOSED: {
    why: 'Everybody can read it; consumers do not take it from an anonymous answer (property 6).',
    change: 'List private skills only in answers to valid credentials.',
  },
  AUTH_REQUIRED: {
    why: 'Index and descriptors of skills that are not private are for everybody (property 6).',
    change:
      'Answer without credentials; ask for them where the skill is invoked. With credentials: accept them.',
  },
  PERMISSION_DENIED: {
    why: 'Whoever is shown an entry must be able to read its descriptor (property 6).',
    change: 'Let everybody who sees the entry read the descriptor.',
  },
  PAYMENT_REQUIRED: {
    why: 'Discovery is free; consumers do not pay to learn what there is.',
    change: 'Charge for invocations, not for index and descriptors.',
  },
  BLOCKED: {
    why: 'Programs cannot solve challenges.',
    change: `Exempt these URLs from the bot filter. ${NO_DETOURS}`,
  },
  RATE_LIMITED: {
    why: 'A consumer that is turned away comes back later or never.',
    change: 'Allow one index and its descriptors in a row; ask for short pauses by Retry-After.',
  },
  SERVER_ERROR: { why: NOT_READ, change: 'Look into the log of the server; plain files do not fail.' },
  HTTP_STATUS: { why: NOT_READ, change: 'Answer GET with status 200 and the whole document.' },
  HTML_INSTEAD: {
    why: NOT_JSON,
    change: 'Route the URL to the document, before the rule that answers every path with a page.',
  },
  NOT_JSON: {
    why: NOT_JSON,
    change: 'Write the document with a JSON serialiser: no comments, no trailing commas.',
  },
  EMPTY_BODY: { why: NOT_JSON, change: 'Serve the document with status 200, never an empty body.' },
  BAD_ENCODING: {
    why: NOT_READ,
    change: 'Write the document in UTF-8, and name charset and Content-Encoding that it really has.',
  },
  BODY_TOO_LARGE: {
    why: 'Consumers bound what they read: 8 MiB here.',
    change: 'Shorten texts and schemas.',
  },
  TOO_DEEP: {
    why: 'Consumers bound how deep they read.',
    change: 'Refer to deep schemas instead of including them.',
  },
  STRING_TOO_LONG: { why: 'Consumers bound what they keep.', change: 'Link to long texts and data instead.' },
  TOO_MANY_SKILLS: {
    why: 'Consumers bound what one domain may list: 20,000 skills here.',
    change: 'Spread the skills over several domains.',
  },
  TIMEOUT: { why: 'Consumers wait for 10 seconds or so.', change: 'Serve documents from files or a cache.' },
  DNS_FAILURE: { why: NOT_READ, change: 'Check the spelling of the name and its A and AAAA records.' },
  TLS_FAILURE: {
    why: 'Consumers read only what provably comes from the domain.',
    change: 'Renew the certificate, let it name the host, and send all intermediate certificates.',
  },
  NETWORK_FAILURE: {
    why: NOT_READ,
    change: 'Check that the server listens there and that no firewall is in the way.',
  },
  HEADERS_TOO_LARGE: {
    why: NOT_READ,
    change: 'Send fewer headers: documents need no cookies and no policies.',
  },
  BUDGET_EXCEEDED: {
    why: 'Consumers bound what one domain may cost them.',
    change: 'Publish smaller documents, fewer skills, or answer faster.',
  },
  ADDRESS_REFUSED: {
    why: NOT_FOLLOWED,
    change: 'Publish at a public address. To check a server of your own: --allow-private.',
  },
  REDIRECT_REFUSED: {
    why: NOT_FOLLOWED,
    change: 'Redirect once, to https on the same site, or not at all.',
  },
  URL_REFUSED: {
    why: NOT_FOLLOWED,
    change: 'Use absolute https URLs without user information. To check a server of your own: --allow-http.',
  },
  ORIGIN_REFUSED: {
    why: "A descriptor on another site may be anybody's; by default consumers do not take it.",
    change: 'Serve descriptors from the domain of the index or its subdomains.',
  },
  CREDENTIAL_FAILED: {
    why: 'The authenticated view was not seen.',
    change: 'Correct the credential that was given to the check.',
  },
};

const OTHERS = {
  HIDDEN_ANONYMOUSLY: {
    level: 'error',
    what: 'A skill that is not private is missing from the index that anonymous callers get.',
    why: 'Everybody must be told of public and restricted skills (property 6).',
    change: 'List it in the anonymous answer too, or make it private.',
  },
  HIDDEN_AUTHENTICATED: {
    level: 'error',
    what: 'A skill that anonymous callers see is missing from the index that the credential opens.',
    why: 'The authenticated index lists all skills; whoever reads it drops what is missing.',
    change: 'Add the private skills to what everybody sees, instead of replacing it.',
  },
  ONE_VIEW: {
    level: 'note',
    what: 'The index was asked for without a credential, though some were given.',
    why: 'Only what everybody is shown was checked.',
    change: 'Give the check a credential for the origin of the index.',
  },
  PRIVATE_READABLE: {
    level: 'warning',
    what: 'The descriptor of a private skill is given to anonymous callers who know its URL.',
    why: 'URLs leak through logs and links, and with them what should be private.',
    change: 'Answer 401 or 404 for it without valid credentials.',
  },
  SHARED_CACHE: {
    level: 'warning',
    what: 'The index depends on the credential, but does not tell caches so.',
    why: 'A cache on the way may show private skills to everybody, or hide them from those who may see them.',
    change: "Send Vary with the name of the credential's header, or Cache-Control: private.",
  },
  VERSION_DRIFT: {
    level: 'warning',
    what: 'Index and descriptor give different versions of the skill.',
    why: 'Consumers believe the descriptor; those who filter by the index miss the skill.',
    change: 'Publish the index again whenever a descriptor changes.',
  },
  TEXT_DRIFT: {
    level: 'warning',
    what: 'Index and descriptor give the skill different names or descriptions.',
    why: 'The skill is found by one text and shown with another.',
    change: 'Write entry and descriptor from one source, and publish them together.',
  },
  FOREIGN_ID: {
    level: 'warning',
    what: "The id names another site than its publisher's.",
    why: "The skill looks like another publisher's; cautious consumers leave it out.",
    change: 'Begin the id with your own domain, reversed, or use a plain name.',
  },
  FOREIGN_PROVIDER_URL: {
    level: 'warning',
    what: "The provider's URL lies on another site than the index.",
    why: "The skill claims to be another's; cautious consumers leave it out.",
    change: 'Let provider.url point to the domain that publishes, or leave it out.',
  },
  MIXED_SCRIPT: {
    level: 'warning',
    what: 'A word of the id or name mixes letters of several scripts.',
    why: 'That is how look-alikes are made; cautious consumers leave the skill out.',
    change: 'Spell each word in one script.',
  },
  NO_VALIDATOR: {
    level: 'warning',
    what: 'There is neither ETag nor Last-Modified.',
    why: 'Consumers must transfer the whole document each time to learn that it is the same.',
    change: 'Send an ETag made of the content, and answer If-None-Match with 304.',
  },
  NOT_REVALIDATED: {
    level: 'warning',
    what: 'A conditional request got the same document once more instead of 304.',
    why: 'The validator is of no use: each look transfers the whole document.',
    change:
      'Compare If-None-Match with the ETag, also behind compression and load balancers, and answer 304.',
  },
  UNSTABLE: {
    level: 'warning',
    what: 'Two requests in a row got different documents.',
    why: 'Each look seems to be a change of the skill, and nothing can be cached or locked.',
    change: 'Leave times, counters and random order out of documents.',
  },
  NO_STORE: {
    level: 'warning',
    what: 'Cache-Control forbids anybody to keep the document.',
    why: 'Each look transfers it again, and no copy bridges an outage.',
    change: 'Send max-age, or no-cache where every use must be confirmed.',
  },
  NO_LIFETIME: {
    level: 'note',
    what: 'Neither Cache-Control nor Expires says how long the document is fresh.',
    why: 'Consumers guess, and ask too often or too seldom.',
    change: 'Send Cache-Control: max-age=3600, or what fits how often you publish.',
  },
  CONTENT_TYPE: {
    level: 'warning',
    what: 'The document is not labelled as JSON.',
    why: 'Strict consumers refuse it, and browsers may run it as something else.',
    change: 'Send Content-Type: application/json. JSON is UTF-8 and needs no charset.',
  },
  REDIRECTED: {
    level: 'note',
    what: 'The URL redirects.',
    why: 'Each look costs one more request, and not every consumer follows.',
    change: 'Answer at the URL itself; let descriptor_url name the final URL.',
  },
  RELATIVE_URL: {
    level: 'warning',
    what: 'The descriptor URL of an entry is relative.',
    why: 'The protocol asks for full URLs; other consumers reject the entry.',
    change: 'Write the URL with scheme and host.',
  },
  EMPTY_TEXT: {
    level: 'warning',
    what: 'A name or description is blank.',
    why: 'Skills are found and chosen by these texts.',
    change: 'Say what the skill does.',
  },
  UNSAFE_TEXT: {
    level: 'warning',
    what: 'A text holds control, invisible or text-reordering characters.',
    why: 'They can deceive people and models; consumers show them escaped or not at all.',
    change: 'Take the characters out.',
  },
  INVALID_URL: {
    level: 'warning',
    what: 'A member that should be an absolute http or https URL is none.',
    why: 'Nobody can follow it.',
    change: 'Write the URL with scheme and host, or leave the member out.',
  },
  INVALID_DATE: {
    level: 'warning',
    what: 'A time is not in the form of ISO 8601.',
    why: 'Nobody can compare it.',
    change: 'Write it as 2026-01-31T12:00:00Z.',
  },
  AUTH_DETAILS_MISSING: {
    level: 'warning',
    what: 'The way of authentication is named, but not described.',
    why: 'Nobody can invoke the skill.',
    change: 'Add the member of auth that is named like its type.',
  },
  DUPLICATE_PARAMETER: {
    level: 'warning',
    what: 'Two parameters share a name.',
    why: 'Inputs are given by name: one of the two can never be set.',
    change: 'Rename or remove one.',
  },
} as const satisfies Record<string, Rule>;

export type OtherRule = keyof typeof OTHERS;

/** Every code that a check can find, in the order of the documentation. */
export const RULES: Readonly<Record<string, Rule>> = {
  ...Object.fromEntries(
    Object.entries(ERRORS).map(([code, { why, change }]) => {
      const what = ERROR_CODES[code as ErrorCode].meaning;
      return [code, { level: 'error', what, why, change } satisfies Rule];
    }),
  ),
  ...OTHERS,
};

/** Of codes that say something of the look, not of the publisher, such as `ADDRESS_CHECK_PROXIED`. */
const OF_THE_LOOK: Rule = {
  level: 'note',
  what: 'Something about this look.',
  why: 'Not all may have been seen as others see it.',
  change: 'Nothing of what is published.',
};

export const ruleOf = (code: string): Rule => RULES[code] ?? OF_THE_LOOK;
