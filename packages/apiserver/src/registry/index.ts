/** The generic registry of the embedded API server, and a ClientPort that calls it in-process, without HTTP. */

export { type BackgroundOptions, type BackgroundTasks, createBackgroundTasks } from './background.ts';
export { type BootstrapOptions, bootstrap, ensureExists } from './bootstrap.ts';
export { allocatingStrategy, createBuiltInStrategies, namespaceStrategy } from './built-in.ts';
export { createBuiltInStrategy } from './built-in-strategy.ts';
export { type Caller, serverUser, serviceAccount, type TokenUser, toUserInfo, type User } from './caller.ts';

export type { Admission, AdmissionRequest } from './context.ts';
export { createTimestampFormatter, type Randomness, randomnessFrom, systemRandomness } from './context.ts';
export { type Conversions, type Converter, convertBetween } from './conversions.ts';
export type { CreateOptions } from './create.ts';
export type { DeleteResult, RemoveOptions } from './delete.ts';
export { forbidden, formatNotRegistered, formatProblems, internalError, noSuchResource } from './errors.ts';
export { createInProcessPort, type InProcessOptions } from './in-process-port.ts';
export { isBeingDeleted } from './metadata.ts';
export type { PatchCallOptions } from './patch.ts';
export { createRegistry, type Registry, type RegistryOptions } from './registry.ts';
export { createSchemalessStrategy, type SchemalessResource } from './schemaless.ts';
export { createServiceAccountTokens, type ServiceAccountTokens, serverAudience } from './service-account-tokens.ts';
export {
  type AllocationOptions,
  type CheckResult,
  type DecodedBody,
  findKind,
  type PendingWrite,
  type ResourceStrategy,
  type Review,
  type StoredForm,
} from './strategy.ts';
export type { Change, UpdateOptions } from './update.ts';
