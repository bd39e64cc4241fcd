/** Rules that override endpoints: what is to be stored instead of what a controller, or anybody, wrote. Pure. */
export {
  type AdmissionFunctionOptions,
  admissionFunctionOf,
  type FunctionRefusal,
  type OverridesFunction,
  type OverridesFunctionRequest,
} from './admission/function.ts';
export type { ReviewedRequest } from './admission/reading.ts';
export {
  type AdmissionResponse,
  type AdmissionReview,
  type ReviewContext,
  type Reviewed,
  type ReviewOptions,
  type ReviewOutcome,
  reviewAdmission,
  reviewAdmissionInFull,
} from './admission/review.ts';
export { heldAnnotation, heldLabel, maxHeld } from './apply/memory.ts';
export { createOverrides } from './create.ts';
export type { Decision, JsonPatchOperation, OverrideRequest, OverrideResult, Overrides } from './overrides.ts';
export { type DecisionCode, decisionMessages, describeProblem, RulesError, type RulesProblem } from './overrides.ts';
export { readRules } from './read-rules.ts';
export type {
  AddressMatch,
  EndpointOverrides,
  Nothing,
  ObjectMatch,
  OverrideAction,
  OverrideRule,
  RangePreset,
  Ranges,
  TimeWindow,
} from './rule.ts';
export { type FormSchema, overridesSchema } from './schema.ts';
