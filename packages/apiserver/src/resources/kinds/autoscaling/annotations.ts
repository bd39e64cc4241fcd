import { decode } from '../../../api-types/codec/decode.ts';
import { encode } from '../../../api-types/codec/printer.ts';
import { readTypeTable, type StructType } from '../../../api-types/index.ts';
import { printJson } from '../../field/causes.ts';
import type { Draft, Fields } from '../../field/read.ts';

/** The annotations in which autoscaling/v1 keeps the fields that only autoscaling/v2 has (pkg/apis/autoscaling/annotations.go, 1.36). */
export const annotationNames = {
  behavior: 'autoscaling.alpha.kubernetes.io/behavior',
  conditions: 'autoscaling.alpha.kubernetes.io/conditions',
  currentMetrics: 'autoscaling.alpha.kubernetes.io/current-metrics',
  metrics: 'autoscaling.alpha.kubernetes.io/metrics',
} as const;

/** Annotations that neither version shows, besides those of `annotationNames`. */
export const droppedAnnotations: readonly string[] = [
  'autoscaling.alpha.kubernetes.io/scale-down-tolerance',
  'autoscaling.alpha.kubernetes.io/scale-up-tolerance',
];

export type AnnotatedField = keyof typeof annotationNames;

/**
 * The types of the annotations: of autoscaling/v1, which no kind refers to; the behavior is of the internal version, whose names are
 * capitalized.
 */
const table = readTypeTable(`
metrics items:[]MetricSpec
currentMetrics items:[]MetricStatus
conditions items:[]Condition
behavior ScaleUp:*ScalingRules ScaleDown:*ScalingRules
ScalingRules StabilizationWindowSeconds:*int32 SelectPolicy:*string Policies:[]ScalingPolicy Tolerance:*resource.Quantity
ScalingPolicy Type:string Value:int32 PeriodSeconds:int32
Condition type:string status:string lastTransitionTime?:meta.Time reason?:string message?:string
MetricSpec type:string object?:*ObjectSource pods?:*PodsSource resource?:*ResourceSource containerResource?:*ContainerSource external?:*ExternalSource
ObjectSource target:Reference metricName:string targetValue:resource.Quantity selector?:*Selector averageValue?:*resource.Quantity
PodsSource metricName:string targetAverageValue:resource.Quantity selector?:*Selector
ResourceSource name:string targetAverageUtilization?:*int32 targetAverageValue?:*resource.Quantity
ContainerSource name:string targetAverageUtilization?:*int32 targetAverageValue?:*resource.Quantity container:string
ExternalSource metricName:string metricSelector?:*Selector targetValue?:*resource.Quantity targetAverageValue?:*resource.Quantity
MetricStatus type:string object?:*ObjectStatus pods?:*PodsStatus resource?:*ResourceStatus containerResource?:*ContainerStatus external?:*ExternalStatus
ObjectStatus target:Reference metricName:string currentValue:resource.Quantity selector?:*Selector averageValue?:*resource.Quantity
PodsStatus metricName:string currentAverageValue:resource.Quantity selector?:*Selector
ResourceStatus name:string currentAverageUtilization?:*int32 currentAverageValue:resource.Quantity
ContainerStatus name:string currentAverageUtilization?:*int32 currentAverageValue:resource.Quantity container:string
ExternalStatus metricName:string metricSelector?:*Selector currentValue:resource.Quantity currentAverageValue?:*resource.Quantity
Reference kind:string name:string apiVersion?:string
Selector matchLabels?:map[string]string matchExpressions?:[]Requirement
Requirement key:string operator:string values?:[]string
`);

/** Encodes the list, or the behavior, as the text of its annotation. */
export function printAnnotation(field: AnnotatedField, value: unknown): string {
  const type = table.find(field) as StructType;
  return field === 'behavior'
    ? printJson(encode(type, renameKeys(value, capitalize) as Draft))
    : printJson(encode(type, { items: value })['items']);
}

/** Decodes an annotation; undefined if it is absent or invalid, which upstream ignores. */
export function parseAnnotation(field: AnnotatedField, text: unknown): unknown {
  if (typeof text !== 'string') return undefined;
  const json = parseJson(text);
  const type = table.find(field) as StructType;
  const { value, problem } = decode(type, field === 'behavior' ? renameKeys(json, capitalize) : { items: json });
  if (json === undefined || problem !== undefined) return undefined;
  if (field !== 'behavior') return (value['items'] ?? []) as readonly Fields[];
  return Object.keys(value).length === 0 ? undefined : renameKeys(value, (name) => name.charAt(0).toLowerCase() + name.slice(1));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const capitalize = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

function renameKeys(value: unknown, rename: (name: string) => string): unknown {
  if (Array.isArray(value)) return value.map((each) => renameKeys(each, rename));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [rename(name), renameKeys(each, rename)]));
}
