import {
  type AccessLevel,
  type AuthType,
  type CapabilityType,
  contentHash,
  type Provider,
  parse,
  type Reading,
  type ReadOptions,
  type SkillDescriptor,
} from '../protocol/index.ts';

/** What it takes besides its texts, and what each of these takes besides its characters. */
const OWN_BYTES = 600;
const TEXT_BYTES = 40;

/**
 * A descriptor that passed its check: what is asked of every one, and once its document was taken the text in its place. Few
 * documents are looked at again, and a thousand that wait for it cost the garbage collector more than parsing those few again.
 */
export class DescriptorReading {
  readonly id: string;
  readonly capability_type: CapabilityType;
  readonly access: AccessLevel;
  readonly version: string;
  readonly provider: Pick<Provider, 'name' | 'url'>;
  readonly tags: readonly string[];
  readonly authType: AuthType;
  readonly protocolVersion: string;
  #document: SkillDescriptor | undefined;
  #hashed: { key: unknown; hash: string | Promise<string> } | undefined;

  private constructor(
    /** Without a byte order mark. */
    readonly text: string,
    document: SkillDescriptor,
    private readonly options: ReadOptions,
  ) {
    const { id, capability_type, access, version, provider, tags = [], auth, protocol } = document;
    this.id = id;
    this.capability_type = capability_type;
    this.access = access;
    this.version = version;
    this.provider = { name: provider.name, ...(provider.url !== undefined && { url: provider.url }) };
    this.tags = [...tags];
    this.authType = auth.type;
    this.protocolVersion = protocol.version;
    this.#document = document;
  }

  static of(text: string, options: ReadOptions): Reading<DescriptorReading> {
    const reading = parse(text, options);
    if (!reading.ok) return reading;
    const bare = text.startsWith('\ufeff') ? text.slice(1) : text;
    return { ok: true, value: new DescriptorReading(bare, reading.value, options) };
  }

  /** An estimate of the memory that it takes once the document is let go, besides the text. */
  get bytes(): number {
    const texts = [this.id, this.version, this.provider.name, this.provider.url ?? '', ...this.tags];
    return texts.reduce((bytes, text) => bytes + TEXT_BYTES + text.length, OWN_BYTES);
  }

  /** The document, which is the caller's own. */
  take(): SkillDescriptor {
    const document = this.#document ?? this.#readAgain();
    this.#document = undefined;
    return document;
  }

  /** {@link contentHash} with what its entry becomes, `key` standing for the entry. Lets the document go. */
  contentHash(content: Parameters<typeof contentHash>[0], key: unknown): string | Promise<string> {
    if (this.#hashed === undefined || this.#hashed.key !== key) {
      this.#hashed = { key, hash: contentHash(content, this.take()) };
    }
    return this.#hashed.hash;
  }

  #readAgain(): SkillDescriptor {
    const reading = parse(this.text, this.options);
    if (!reading.ok) throw new Error(reading.failure.message);
    return reading.value;
  }
}
