/** API priority and fairness: bootstrap objects, conditions, and the FlowSchema and priority level of each request. */
export { createBootstrapObjects, flowSchemas, priorityLevels } from '../resources/kinds/flow-control/bootstrap.ts';
export { type Classification, type Classifier, computeNominalSeats, createClassifier } from './classify.ts';
export { createFlowControlController } from './controller.ts';
export type { RequestDigest } from './match.ts';
