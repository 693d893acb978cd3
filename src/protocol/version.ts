import type { VersionDetails } from './outcomes.ts';
import { LEXICAL_RULES } from './schema.ts';
import { excerpt, show } from './text.ts';
import type { ProtocolSemVer } from './types.ts';

/** The protocol version that a consumer supports unless it says otherwise. */
export const PROTOCOL_VERSION = '1.0.0';

export type VersionJudgement = { compatible: true } | { compatible: false; details: VersionDetails };

const PATTERN = new RegExp(LEXICAL_RULES.ProtocolSemVer.pattern, 'u');

/** Whether a value is `MAJOR.MINOR.PATCH` (property 9). */
export function isProtocolSemVer(value: unknown): value is ProtocolSemVer {
  return typeof value === 'string' && PATTERN.test(value);
}

/**
 * Whether a consumer of version `supported` can read a document of version `documentVersion`: exactly when their MAJOR
 * numbers are equal (protocol section 4, property 10). Throws a TypeError when either is not `MAJOR.MINOR.PATCH`.
 */
export function checkVersion(
  documentVersion: ProtocolSemVer,
  supported: ProtocolSemVer = PROTOCOL_VERSION,
): VersionJudgement {
  const major = majorOf('supported', supported);
  if (majorOf('documentVersion', documentVersion) === major) return { compatible: true };
  return {
    compatible: false,
    details: {
      descriptor_version: excerpt(documentVersion),
      consumer_supported_range: `${excerpt(major)}.x.x`,
    },
  };
}

// As text: the protocol sets no limit to the numbers.
function majorOf(argument: string, version: string): string {
  if (!isProtocolSemVer(version)) {
    throw new TypeError(`${argument} must be MAJOR.MINOR.PATCH, but is ${show(version)}`);
  }
  return version.slice(0, version.indexOf('.'));
}
