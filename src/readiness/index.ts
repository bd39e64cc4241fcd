export { computeConditions } from './conditions.ts';
export { explainReadiness, type ReadinessCause, type ReadinessCauseCode, type ReadinessExplanation } from './explain.ts';
export { type ReadinessVersion, readinessGates } from './gates.ts';
export { type GenerateInput, generateStatus } from './generate.ts';
export { type MergeInput, mergeStatus } from './merge.ts';
export { podPhase } from './phase.ts';
export { createProbe, type ProbeMachine, type ProbeOptions, type ProbeResult } from './probe.ts';
export { applyProbes, type ProbeResults } from './probed.ts';
export { type Recorded, type RecordInput, recordStatus } from './record.ts';
