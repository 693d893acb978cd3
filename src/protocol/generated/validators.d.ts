// Compiled from schema.ts by `npm run generate`. Do not edit.
export interface SchemaError {
  instancePath: string;
  schemaPath: string;
  keyword: string;
  params: Record<string, unknown>;
}
export interface SchemaValidator {
  (data: unknown): boolean;
  /** What the last call found. */
  errors?: SchemaError[] | null;
}
export declare const protocolVersion: SchemaValidator;
export declare const skillIndexShell: SchemaValidator;
export declare const skillIndexEntry: SchemaValidator;
export declare const skillDescriptor: SchemaValidator;
export declare const invocationRequest: SchemaValidator;
export declare const invocationResponse: SchemaValidator;
export declare const errorEnvelope: SchemaValidator;
