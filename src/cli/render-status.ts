import type { ProviderStatus } from '../index.ts';
import { number, outline, table } from './render.ts';
import type { Shell } from './shell.ts';
import { printable } from './text.ts';
import { dueText, isoTime, shortSpan } from './time.ts';

type Colors = Shell['colors'];

/** One provider a line; times are ages. */
export function renderProviders(providers: readonly ProviderStatus[], now: number, colors: Colors): string {
  const rows = providers.map((provider) => [
    printable(provider.domain, 270),
    outcome(provider, colors),
    number(provider.skills),
    age(provider.lookedAt, now),
    `${number(provider.successes)}/${number(provider.failures)}`,
    provider.unreachableSince === undefined ? '' : age(provider.unreachableSince, now),
    dueText(provider.dueAt, now),
  ]);
  const head = ['DOMAIN', 'LAST LOOK', 'SKILLS', 'AGE', 'GOOD/FAILED', 'UNREACHABLE', 'NEXT LOOK'];
  return table(head, rows, colors);
}

/** All that is known of one provider, with times in full. */
export function renderProvider(provider: ProviderStatus, now: number, colors: Colors): string {
  const { domain, message, lookedAt, goodAt, unreachableSince, dueAt } = provider;
  const { skills, successes, failures, failuresInRow } = provider;
  const past = (at: number) => `${isoTime(at)} (${age(at, now)} ago)`;
  const inRow = failuresInRow > 0 ? ` (the last ${number(failuresInRow)} in a row)` : '';
  const details = {
    [provider.status === 'imported' ? 'imported' : 'last look']: past(lookedAt),
    ...(message !== undefined && { message }),
    ...(goodAt !== undefined && { 'last good look': past(goodAt) }),
    ...(unreachableSince !== undefined && { 'unreachable since': past(unreachableSince) }),
    'next look': `${isoTime(dueAt)} (${dueText(dueAt, now)})`,
    skills,
    looks: `${number(successes)} good, ${number(failures)} failed${inRow}`,
  };
  return `${colors.bold(printable(domain, 270))}: ${outcome(provider, colors)}\n${outline(details, 1)}`;
}

function outcome({ status, code }: ProviderStatus, { green, yellow, red }: Colors): string {
  if (code === undefined) return status === 'ok' ? green(status) : yellow(status);
  return (status === 'failed' ? red : yellow)(`${status} ${code}`);
}

const age = (at: number, now: number): string => shortSpan(now - at);
