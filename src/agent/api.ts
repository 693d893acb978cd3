import type {
  Caller,
  CapabilityType,
  Client,
  Clock,
  ErrorCode,
  ProviderOutcome,
  SkillRecord,
} from '../index.ts';
import type { AgentTool, ToolError } from './tool.ts';

/** What an agent may do, and in whose name. */
export interface ToolboxOptions {
  /** Whether private skills are found, read and invoked. Default false. */
  includePrivate?: boolean | undefined;
  /**
   * Whether the agent may look at providers, ten a minute: at any (`true`) or at these domains and those below them. Default
   * false: `discover_domain` is not among the tools.
   */
  discover?: boolean | readonly string[] | undefined;
  /** Whether skills may be invoked, through the client's `invoke`. Default false: `invoke_skill` is not among the tools. */
  invoke?: boolean | undefined;
  /** Who invokes (protocol, section 5). Default as for the client's `invoke`. */
  caller?: Caller | undefined;
  /** For one invocation, polling included. Default as for the client's `invoke`. */
  timeoutMs?: number | undefined;
  /** What measures the minute of `discover`. Default the machine's own clock. */
  clock?: Pick<Clock, 'now'> | undefined;
}

export interface CallOptions {
  /** Aborts this call alone; the call then rejects with `signal.reason`. */
  signal?: AbortSignal | undefined;
}

export interface SearchInput {
  /** Words, or a sentence. Blank: every skill. */
  query?: string | undefined;
  capabilityType?: CapabilityType | undefined;
  /** Most skills in the answer: 1 to 15, default 10. Fewer where more would not fit. */
  limit?: number | undefined;
}

/** One skill in few words. `name` and `description` are its publisher's: cut and cleaned, but nobody vouches for them. */
export interface SkillHit {
  domain: string;
  id: string;
  name: string;
  capability_type: CapabilityType;
  description: string;
  /** Absent for a public skill. */
  access?: 'restricted' | 'private';
  /** Its publisher has not confirmed it lately. */
  stale?: true;
  /** Codes of warnings. */
  warnings?: string[];
}

/** Under 2,000 tokens as JSON. */
export interface SearchResult {
  /** Says that these are texts of publishers. */
  notice: string;
  /** In the order of the registry, the best first. */
  skills: SkillHit[];
  /** Whether there are further matches. */
  more: boolean;
  /** How the query was taken where it found nothing as it stands, and what to try. */
  hint?: string;
}

/** All that a model needs to judge and use one skill. At most 4,000 tokens as JSON. `…` ends a text that was cut. */
export interface SkillDetails extends SkillHit {
  notice: string;
  version: string;
  /** The provider's name, in its own words. */
  provider: string;
  tags?: string[];
  documentation_url?: string;
  auth_type: string;
  /** The name of the tool that `toTool` makes of it. */
  tool: string;
  /** JSON Schema of the inputs that this tool and `invoke_skill` take. */
  input_schema: Record<string, unknown>;
  /** What was left out of `input_schema`. */
  notes?: string[];
  output: { type?: string; description?: string; content_type?: string };
}

/** What a look at a provider gave. Under 2,000 tokens as JSON. */
export interface DiscoveryResult {
  notice: string;
  domain: string;
  status: ProviderOutcome['status'];
  code?: ErrorCode;
  message?: string;
  /** The first of its skills, in the order of its index. */
  skills: SkillHit[];
  /** Whether it has further skills. */
  more: boolean;
  /** How many entries of its index could not be used. */
  rejected: number;
}

/** What a skill gave. */
export interface InvocationResult {
  notice: string;
  status: 'completed';
  /** Text of a stranger, cleaned; at most 8,000 tokens as JSON. */
  untrusted_output: unknown;
  /** Whether `untrusted_output` was cut. */
  cut?: true;
}

/** What an agent gets to find, read and use skills. Made by `createToolbox`. */
export interface Toolbox {
  /** `search_skills`, `get_skill` and, where the options allow it, `discover_domain` and `invoke_skill`. */
  readonly tools: readonly AgentTool[];
  /**
   * Finds skills. Where none has all words of the query, those with the most of them are given, and `hint` says so.
   * No network.
   */
  searchSkills(input?: SearchInput, call?: CallOptions): Promise<SearchResult>;
  /** Reads one stored skill: `SKILL_NOT_FOUND` where there is none. No network. */
  getSkill(key: { domain: string; id: string }, call?: CallOptions): Promise<SkillDetails | ToolError>;
  /** Looks at one provider and stores what it publishes: `NOT_ALLOWED` or `TOO_MANY_CALLS` where that may not be now. */
  discoverDomain(input: { domain: string }, call?: CallOptions): Promise<DiscoveryResult | ToolError>;
  /**
   * A tool that invokes this skill; its `execute` gives an {@link InvocationResult}. Named
   * `skill_<slug of at most 40>_<16 characters of base32 of SHA-256(domain, id)>`.
   */
  toTool(record: SkillRecord): AgentTool;
  /** The tool of the stored skill for which `toTool` gives this name. */
  resolve(name: string, call?: CallOptions): Promise<AgentTool | undefined>;
}

/** What the toolbox needs of a client. */
export type ToolboxClient = Pick<Client, 'find' | 'get' | 'discover' | 'invoke'>;
