import {
  type ClientOptions,
  type Credential,
  lintDescriptor,
  lintIndex,
  type ProviderOutcome,
  parseIndex,
  type SkillIndex,
  type SkillRecord,
  type Warning,
  wellKnownUrl,
} from '../index.ts';
import { adviceOn, conclude, type Found, type Inspection, problems } from './inspection.ts';
import { askAgain, type Look, lookAt, readableAnonymously, withClient } from './inspection-look.ts';
import { servingFaults } from './inspection-serving.ts';
import { byView, indexOf, positionsOf, sharedCacheFaults, viewFaults } from './inspection-views.ts';
import { ResponseLog } from './response-log.ts';

/** How to look. */
interface InspectOptions {
  network: ClientOptions;
  credentials: Record<string, Credential>;
  signal: AbortSignal;
}

/** What consumers meet at a domain: everybody, and whoever has the credentials. */
export async function inspectProvider(
  target: string,
  domain: string,
  { network, credentials, signal }: InspectOptions,
): Promise<Inspection> {
  const anonymous = await lookAt(domain, network, signal);
  const [seenByAll, serving] = [findingsOf(anonymous), servingOf(anonymous)];
  if (Object.keys(credentials).length === 0) {
    return concludeLook(target, anonymous, [...seenByAll, ...serving]);
  }

  const authenticated = await lookAt(domain, { ...network, credentials }, signal);
  const { outcome } = authenticated;
  const privateSkills = outcome.skills.filter(({ access }) => access === 'private');
  const readable = await readableAnonymously({ skills: privateSkills, outcome }, network, signal);
  return concludeLook(target, authenticated, [
    ...byView(seenByAll, findingsOf(authenticated), outcome.view),
    ...viewFaults(anonymous.outcome, outcome),
    ...(outcome.view === 'anonymous' ? [oneView(outcome)] : []),
    ...readable.map(
      ({ id, descriptorUrl }): Found => ({
        code: 'PRIVATE_READABLE',
        document: descriptorUrl,
        field: '/access',
        message: `anonymous callers can read the descriptor of the private skill ${JSON.stringify(id)}`,
      }),
    ),
    ...serving,
    ...servingOf(authenticated, anonymous),
    ...(privateSkills.length > 0 && anonymous.index?.entry?.text !== authenticated.index?.entry?.text
      ? sharedCacheFaults([anonymous.index, authenticated.index], credentials)
      : []),
  ]);
}

const oneView = (outcome: ProviderOutcome): Found => ({
  code: 'ONE_VIEW',
  document: indexOf(outcome),
  field: '',
  message: 'none of the credentials is for the origin of the index',
});

/** What the descriptor at one URL is worth, with no index to hold it against. */
export async function inspectDescriptorUrl(
  url: string,
  { network, credentials, signal }: InspectOptions,
): Promise<Inspection> {
  const log = new ResponseLog();
  return withClient({ ...network, credentials, cacheStore: log }, async (client) => {
    const outcome = await client.fetchDescriptor(url, { signal });
    const document = outcome.finalUrl ?? outcome.url;
    if (outcome.status !== 'ok')
      return conclude(url, 'descriptor-url', 0, problems(document, outcome), outcome);
    const served = await askAgain(log, { url, document }, (cacheMode) =>
      client.fetchDescriptor(url, { cacheMode, signal }),
    );
    const isAnonymous = Object.keys(credentials).length === 0;
    const found = [
      ...adviceOn(document, [...outcome.warnings, ...lintDescriptor(outcome.descriptor)]),
      ...redirectFault(outcome.url, '', outcome),
      ...servingFaults([served], isAnonymous),
    ];
    return conclude(url, 'descriptor-url', 1, found, outcome);
  });
}

function concludeLook(target: string, { outcome }: Look, found: Found[]): Inspection {
  return conclude(target, 'domain', outcome.skills.length, found, outcome);
}

/** What one view shows, every entry of its index included. That there is no index counts as an error. */
function findingsOf({ outcome, index, descriptors }: Look): Found[] {
  const { skills, rejected, warnings, domain, provider } = outcome;
  const document = indexOf(outcome);
  const found = outcome.code ? problems(document, outcome) : [];
  for (const rejection of rejected) {
    // The violations of an entry point into the index, those of what it leads to into the descriptor.
    const where = (rejection.violations && rejection.descriptorUrl) ?? document;
    found.push(...problems(where, rejection, `/skills/${rejection.index}`));
  }
  found.push(...adviceOn(document, warnings));
  const positions = positionsOf(outcome);
  if (provider) {
    const reading = parseIndex(index?.entry?.text ?? '');
    const protocol = reading.ok ? reading.value.protocol : { version: '1.0.0' };
    found.push(...adviceOn(document, lintEntries({ protocol, provider, skills }, positions)));
  }
  for (const [i, skill] of skills.entries()) {
    const entry = `/skills/${positions[i]}`;
    found.push(...skillFindings(skill, document, entry));
    const { redirects = [] } = descriptors[i]?.entry ?? {};
    found.push(
      ...redirectFault(document, `${entry}/descriptor_url`, { redirects, finalUrl: skill.descriptorUrl }),
    );
  }
  found.push(...redirectFault(wellKnownUrl(domain), '', outcome));
  return found;
}

/** How index and descriptors are served, but for descriptors that another view has shown. */
function servingOf({ outcome, index, descriptors }: Look, others?: Look): Found[] {
  const known = new Set(others?.descriptors.map(({ url }) => url));
  const isAnonymous = outcome.view === 'anonymous';
  return [
    ...servingFaults(index ? [index] : [], isAnonymous),
    ...servingFaults(
      descriptors.filter(({ url }) => !known.has(url)),
      isAnonymous,
    ),
  ];
}

/** Advice on an index of which these skills were taken, without their descriptor URLs: those were followed. */
function lintEntries(
  { protocol, provider, skills }: Pick<SkillIndex, 'protocol' | 'provider'> & { skills: SkillRecord[] },
  positions: number[],
): Warning[] {
  const entries = skills.map((skill) => ({ ...skill }));
  return lintIndex({ protocol, provider, skills: entries }).flatMap((warning) => {
    const [, i, member] = /^\/skills\/(\d+)\/(\w+)$/.exec(warning.field ?? '') ?? [];
    if (member === 'descriptor_url') return [];
    if (i === undefined) return [warning];
    const field = `/skills/${positions[Number(i)]}/${member}`;
    return [{ ...warning, field, message: warning.message.replace(warning.field ?? '', field) }];
  });
}

function skillFindings(skill: SkillRecord, index: string, entry: string): Found[] {
  const { descriptor, descriptorUrl, warnings } = skill;
  const drifts = (['name', 'description'] as const).filter((member) => skill[member] !== descriptor[member]);
  const isOfEntry = ({ field = '' }: Warning) =>
    field === '/descriptor_url' || drifts.some((member) => field === `/${member}`);
  const ofEntry = warnings.flatMap((warning) =>
    // What is unsafe in the index, its own lint tells.
    isOfEntry(warning) && warning.code !== 'UNSAFE_TEXT'
      ? [{ ...warning, field: `${entry}${warning.field}` }]
      : [],
  );
  return [
    ...adviceOn(index, ofEntry),
    ...adviceOn(
      descriptorUrl,
      warnings.filter((warning) => !isOfEntry(warning)),
    ),
    ...drifts.map(
      (member): Found => ({
        code: 'TEXT_DRIFT',
        document: index,
        field: `${entry}/${member}`,
        message: `the ${member} differs from that of the descriptor`,
      }),
    ),
    ...adviceOn(descriptorUrl, lintDescriptor(descriptor)),
  ];
}

function redirectFault(
  document: string,
  field: string,
  { redirects, finalUrl }: { redirects: string[]; finalUrl?: string },
): Found[] {
  if (redirects.length === 0) return [];
  const message = `it leads to ${finalUrl}, by ${redirects.join(' and ')}`;
  return [{ code: 'REDIRECTED', document, field, message }];
}
