export interface AdapterOptions {
  /**
   * Whether the runtime asks its user before a skill is invoked, by its own way of doing so. Default false: the client's hook
   * `approve`, which also sees the skill's provenance and warnings, decides alone.
   */
  needsApproval?: boolean | undefined;
}
