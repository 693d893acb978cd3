import type { ErrorCode, Failure } from '../errors.ts';
import { neutralize, type Violation, type Warning } from '../protocol/index.ts';
import { isJsonMediaType } from './checks.ts';

/** The members of a failure as outcomes and rejections carry them: `details.violations` stands as `violations`. */
export function failureMembers({ code, message, details = {} }: Failure): {
  code: ErrorCode;
  message: string;
  violations?: Violation[];
  details?: Record<string, unknown>;
} {
  const { violations, ...rest } = details;
  return {
    code,
    message: neutralize(message),
    ...(Array.isArray(violations) && { violations: violations as Violation[] }),
    ...(Object.keys(rest).length > 0 && { details: rest }),
  };
}

/** Advice to a publisher whose server mislabels its JSON; the document is used all the same. */
export function contentTypeWarnings(document: string, contentType: string): Warning[] {
  if (isJsonMediaType(contentType)) return [];
  const type = contentType === '' ? 'no content type' : JSON.stringify(contentType.slice(0, 100));
  return [
    {
      code: 'CONTENT_TYPE',
      message: neutralize(`the ${document} is served with ${type} instead of application/json`),
    },
  ];
}
