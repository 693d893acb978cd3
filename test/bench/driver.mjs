// SQLite as the product finds it.
export const { DatabaseSync } =
  process.getBuiltinModule('node:sqlite') ?? (await import('@photostructure/sqlite'));
