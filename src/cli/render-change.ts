import type { Change, ChangeKind, LockVerdict, MemberChange } from '../index.ts';
import type { Shell } from './shell.ts';
import { printable } from './text.ts';
import { isoTime } from './time.ts';

type Colors = Shell['colors'];

const COLORS = {
  added: 'green',
  back: 'green',
  changed: 'yellow',
  unreachable: 'yellow',
  removed: 'red',
} as const satisfies Record<ChangeKind, keyof Colors>;

const STATE_COLORS = {
  same: 'green',
  drift: 'yellow',
  identity: 'red',
  gone: 'red',
  unverified: 'yellow',
} as const satisfies Record<LockVerdict['state'], keyof Colors>;

/** One line, and one for each member that differs. The id is whole, to be copied. */
export function renderChange({ at, kind, domain, id, members = [] }: Change, colors: Colors): string {
  const what = colors[COLORS[kind]](kind.padEnd('unreachable'.length));
  return [`${isoTime(at)}  ${what}  ${keyText(domain, id)}`, ...members.map(memberLine)].join('\n');
}

/** The same of a locked skill. Where only the names of the members that differ are known, these. */
export function renderVerdict(verdict: LockVerdict, colors: Colors): string {
  const { state, domain, id, code, message, fields = [], members } = verdict;
  const what = colors[STATE_COLORS[state]](state.padEnd('unverified'.length));
  const why = code === undefined ? '' : `  ${code}${message === undefined ? '' : `: ${printable(message)}`}`;
  const lines = members?.map(memberLine) ?? fields.map((field) => `    ${printable(field)}`);
  return [`${what}  ${keyText(domain, id)}${why}`, ...lines].join('\n');
}

const keyText = (domain: string, id: string) => `${printable(domain, 270)}  ${printable(id, 512)}`;

const memberLine = ({ field, ...values }: MemberChange) =>
  `    ${printable(field)}: ${value(values, 'old')} -> ${value(values, 'new')}`;

function value(values: Omit<MemberChange, 'field'>, which: 'old' | 'new'): string {
  return which in values ? printable(JSON.stringify(values[which]), 60) : 'nothing';
}
