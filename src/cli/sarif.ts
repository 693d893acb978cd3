import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';
import { HOME, VERSION } from '../version.ts';
import type { Finding, Inspection } from './inspection.ts';
import { ruleOf } from './inspection-rules.ts';

/** An inspection as a log in the Static Analysis Results Interchange Format (SARIF 2.1.0), for other tools. */
export function toSarif({ target, kind, ok, findings }: Inspection) {
  const codes = [...new Set(findings.map(({ code }) => code))].sort();
  const driver = {
    name: 'skillscout',
    version: VERSION,
    informationUri: HOME,
    rules: codes.map(toDescriptor),
  };
  const isFile = kind === 'index-file' || kind === 'descriptor-file';
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0' as const,
    runs: [
      {
        tool: { driver },
        columnKind: 'utf16CodeUnits' as const,
        results: findings.map((finding) => ({
          ...toResult(finding, isFile && target !== 'stdin'),
          ruleIndex: codes.indexOf(finding.code),
        })),
        properties: { target, ok },
      },
    ],
  };
}

function toDescriptor(code: string) {
  const { level, what, why, change } = ruleOf(code);
  return {
    id: code,
    shortDescription: { text: what },
    fullDescription: { text: why },
    help: { text: change },
    defaultConfiguration: { level },
  };
}

function toResult({ code, level, document, field, message, view }: Finding, isFile: boolean) {
  const member = field === '' ? {} : { logicalLocations: [{ fullyQualifiedName: field, kind: 'member' }] };
  return {
    ruleId: code,
    level,
    message: { text: message },
    locations: [
      {
        physicalLocation: { artifactLocation: { uri: isFile ? fileUri(document) : document } },
        ...member,
      },
    ],
    ...(view !== undefined && { properties: { view } }),
  };
}

/** As it was given, so that a path within a repository stays one. */
function fileUri(path: string): string {
  if (isAbsolute(path)) return pathToFileURL(path).href;
  return path.split(/[/\\]/).map(encodeURIComponent).join('/');
}
