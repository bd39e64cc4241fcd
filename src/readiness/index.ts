export { type ConditionsOptions, computeConditions, type MadeCondition } from './conditions.ts';
export { explainReadiness, type ReadinessCause, type ReadinessCauseCode, type ReadinessExplanation } from './explain.ts';
export { type ReadinessGate, type ReadinessGateName, type ReadinessVersion, readinessGates } from './gates.ts';
export { type GeneratedStatus, type GenerateInput, generateStatus } from './generate.ts';
export { type MergeInput, mergeStatus } from './merge.ts';
export { type PhaseOptions, type PodPhase, podPhase } from './phase.ts';
export {
  createProbe,
  type ProbeKind,
  type ProbeMachine,
  type ProbeOptions,
  type ProbeResult,
  type ProbeState,
  type ProbeTime,
} from './probe.ts';
export { applyProbes, type ProbeResults } from './probed.ts';
export { type Recorded, type RecordInput, recordStatus } from './record.ts';
export type { ObservedStatus } from './statuses.ts';
