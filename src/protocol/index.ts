export * from './outcomes.ts';
export type * from './types.ts';
