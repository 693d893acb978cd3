/* JSON Schemas of what the tools give (`api.ts` has the types), open to members that come later. */

const text = { type: 'string' };
const texts = { type: 'array', items: text };
const capabilityType = { type: 'string', enum: ['plugin', 'api', 'knowledge', 'task'] };

const hitMembers = {
  domain: text,
  id: text,
  name: text,
  capability_type: capabilityType,
  description: text,
  access: { type: 'string', enum: ['restricted', 'private'] },
  stale: { type: 'boolean' },
  warnings: texts,
};
const HIT_REQUIRED = ['domain', 'id', 'name', 'capability_type', 'description'];
const hits = {
  type: 'array',
  items: { type: 'object', properties: hitMembers, required: HIT_REQUIRED },
};

export const SEARCH_OUTPUT = {
  type: 'object',
  properties: { notice: text, skills: hits, more: { type: 'boolean' }, hint: text },
  required: ['notice', 'skills', 'more'],
};

export const DETAILS_OUTPUT = {
  type: 'object',
  properties: {
    notice: text,
    ...hitMembers,
    version: text,
    provider: text,
    tags: texts,
    documentation_url: text,
    auth_type: text,
    tool: text,
    input_schema: { type: 'object' },
    notes: texts,
    output: { type: 'object', properties: { type: text, description: text, content_type: text } },
  },
  required: [
    ...['notice', ...HIT_REQUIRED, 'version', 'provider', 'auth_type', 'tool', 'input_schema', 'output'],
  ],
};

export const DISCOVERY_OUTPUT = {
  type: 'object',
  properties: {
    notice: text,
    domain: text,
    status: { type: 'string', enum: ['ok', 'partial', 'none', 'failed'] },
    code: text,
    message: text,
    skills: hits,
    more: { type: 'boolean' },
    rejected: { type: 'integer' },
  },
  required: ['notice', 'domain', 'status', 'skills', 'more', 'rejected'],
};

export const INVOCATION_OUTPUT = {
  type: 'object',
  properties: {
    notice: text,
    status: { type: 'string', enum: ['completed'] },
    untrusted_output: {},
    cut: { type: 'boolean' },
  },
  required: ['notice', 'status', 'untrusted_output'],
};
