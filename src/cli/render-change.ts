import type { Change, ChangeKind, MemberChange } from '../index.ts';
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

/** One line, and one for each member that differs. The id is whole, to be copied. */
export function renderChange({ at, kind, domain, id, members = [] }: Change, colors: Colors): string {
  const what = colors[COLORS[kind]](kind.padEnd('unreachable'.length));
  const lines = members.map(
    ({ field, ...values }) => `    ${printable(field)}: ${value(values, 'old')} -> ${value(values, 'new')}`,
  );
  return [`${isoTime(at)}  ${what}  ${printable(domain, 270)}  ${printable(id, 512)}`, ...lines].join('\n');
}

function value(values: Omit<MemberChange, 'field'>, which: 'old' | 'new'): string {
  return which in values ? printable(JSON.stringify(values[which]), 60) : 'nothing';
}
