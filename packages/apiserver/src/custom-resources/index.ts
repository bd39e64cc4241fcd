/** CustomResourceDefinitions of the embedded API server, and the resources that they define. */
export { type CustomResources, type CustomResourcesOptions, createCustomResources } from './controller/custom-resources.ts';
export { definitionsResource as customResourceDefinitions } from './definition/definition.ts';
export { createDefinitionStrategy, createDefinitionsCatalogEntry } from './definition/strategy.ts';
export type { ValidatorOptions } from './validation/validator.ts';
