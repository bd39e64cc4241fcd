export { createQuotaAdmission, resourceQuotas } from './admission.ts';
export { matchesScopes } from './scopes.ts';
export { countsResource, formatOf, groupResourceOf, usageOf } from './usage.ts';
