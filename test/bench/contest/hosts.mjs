/** The first label says how the host behaves: `site` publishes ten skills, `none` publishes nothing, `hang` never answers. */
export const hostOf = (kind, number) => `${kind}-${String(number).padStart(5, '0')}.example`;

/** `count` hosts of a kind with their port, from number `first` on. */
export const hostsOf = (kind, count, port, first = 0) =>
  Array.from({ length: count }, (_, i) => `${hostOf(kind, first + i)}:${port}`);

/** Numbers from here on are for warming up; nobody is measured by them. */
export const WARM_UP_FROM = 90_000;
