/** The generic registry of the embedded API server, and the in-process port over it. */

export { type Background, type BackgroundOptions, createBackground } from './background.ts';
export { type BootstrapOptions, bootstrap } from './bootstrap.ts';
export { allocatingStrategy, builtInStrategies, namespaceStrategy } from './built-in.ts';
export type { Caller, User } from './caller.ts';
export type { Admission, AdmissionRequest } from './context.ts';
export { type Randomness, randomnessFrom, systemRandomness } from './context.ts';
export type { CreateOptions } from './create.ts';
export type { DeleteResult, RemoveOptions } from './delete.ts';
export { describedStrategy } from './described.ts';
export { forbidden, internalError, noSuchResource } from './errors.ts';
export { createInProcessPort, type InProcessOptions } from './in-process-port.ts';
export type { PatchCall } from './patch.ts';
export { type PlainResource, plainStrategy } from './plain.ts';
export { createRegistry, type Registry, type RegistryOptions } from './registry.ts';
export type { BeginOptions, CheckResult, Decoded, PendingWrite, ResourceStrategy, StoredForm } from './strategy.ts';
export type { Change, UpdateOptions } from './update.ts';
