/** Rules that override Endpoints and EndpointSlices before they are stored: pure functions. */
export { admissionFunctionOf } from './admission/function.ts';
export {
  type AdmissionResponse,
  type AdmissionReview,
  type ReviewContext,
  type ReviewOptions,
  reviewAdmission,
} from './admission/review.ts';
export { createOverrides } from './create.ts';
export {
  type Decision,
  type DecisionCode,
  decisionMessages,
  type OverrideRequest,
  type OverrideResult,
  type Overrides,
  RulesError,
  type RulesProblem,
} from './overrides.ts';
export { readRules } from './read-rules.ts';
export type { EndpointOverrides, OverrideAction, OverrideRule } from './rule.ts';
export { overridesSchema } from './schema.ts';
