export type { FaultCode } from './answers.ts';
export * from './corpus.ts';
export * from './documents.ts';
export { FAULTS, type Fault, type FaultName, PRIVATE_HOSTS } from './faults.ts';
export * from './internet.ts';
export * from './provider.ts';
export * from './serve.ts';
export * from './site.ts';
