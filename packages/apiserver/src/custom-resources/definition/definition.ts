import type { ApiObject, Resource } from 'kube-endpoints/port';
import type { ColumnDefinition } from '../objects/columns.ts';
import type { Schema } from '../schema/schema.ts';

/** A decoded CustomResourceDefinition; empty fields are absent. */
export interface Definition extends ApiObject {
  readonly spec?: DefinitionSpec;
  readonly status?: DefinitionStatus;
}

export interface DefinitionSpec {
  readonly group?: string;
  readonly names?: DefinitionNames;
  readonly scope?: string;
  readonly versions?: readonly DefinitionVersion[];
  readonly conversion?: DefinitionConversion;
  readonly preserveUnknownFields?: boolean;
}

export interface DefinitionNames {
  readonly plural?: string;
  readonly singular?: string;
  readonly shortNames?: readonly string[];
  readonly kind?: string;
  readonly listKind?: string;
  readonly categories?: readonly string[];
}

export interface DefinitionVersion {
  readonly name?: string;
  readonly served?: boolean;
  readonly storage?: boolean;
  readonly deprecated?: boolean;
  readonly deprecationWarning?: string;
  readonly schema?: { readonly openAPIV3Schema?: Schema };
  readonly subresources?: Subresources;
  readonly additionalPrinterColumns?: readonly ColumnDefinition[];
  readonly selectableFields?: readonly { readonly jsonPath?: string }[];
}

export interface Subresources {
  readonly status?: Readonly<Record<string, unknown>>;
  readonly scale?: { readonly specReplicasPath?: string; readonly statusReplicasPath?: string; readonly labelSelectorPath?: string };
}

interface DefinitionConversion {
  readonly strategy?: string;
  readonly webhook?: {
    readonly clientConfig?: Readonly<Record<string, unknown>>;
    readonly conversionReviewVersions?: readonly string[];
  };
}

interface DefinitionStatus {
  readonly conditions?: readonly Condition[];
  readonly acceptedNames?: DefinitionNames;
  readonly storedVersions?: readonly string[];
  readonly observedGeneration?: number;
}

export interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly lastTransitionTime?: string;
  readonly reason?: string;
  readonly message?: string;
}

export const definitionsResource: Resource = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  kind: 'CustomResourceDefinition',
  namespaced: false,
};

export const cleanupFinalizer = 'customresourcecleanup.apiextensions.k8s.io';

export const conditionOf = ({ status }: Definition, type: string): Condition | undefined =>
  status?.conditions?.find((condition) => condition.type === type);

export const isConditionTrue = (definition: Definition, type: string): boolean => conditionOf(definition, type)?.status === 'True';

export const versionsOf = ({ spec }: Definition): readonly DefinitionVersion[] => spec?.versions ?? [];

export const storageVersionOf = (definition: Definition): DefinitionVersion | undefined =>
  versionsOf(definition).find(({ storage }) => storage);
