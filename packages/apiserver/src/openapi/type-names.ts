/** Package names in OpenAPI documents, if they differ from io.k8s.api.GROUP.VERSION. */
const packages: Readonly<Record<string, string>> = {
  apiextensions: 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1',
  apiregistration: 'io.k8s.kube-aggregator.pkg.apis.apiregistration.v1',
  meta: 'io.k8s.apimachinery.pkg.apis.meta.v1',
};

/** Names of the definitions of types that are not structs, by Go name. */
export const opaqueDefinitionNames: Readonly<Record<string, string>> = {
  'intstr.IntOrString': 'io.k8s.apimachinery.pkg.util.intstr.IntOrString',
  'resource.Quantity': 'io.k8s.apimachinery.pkg.api.resource.Quantity',
  'runtime.RawExtension': 'io.k8s.apimachinery.pkg.runtime.RawExtension',
  'v1.FieldsV1': `${packages['meta']}.FieldsV1`,
  'v1.MicroTime': `${packages['meta']}.MicroTime`,
  'v1.Time': `${packages['meta']}.Time`,
};

/** Converts "core.Service" to "io.k8s.api.core.v1.Service", and "autoscaling/v2.MetricSpec" to "io.k8s.api.autoscaling.v2.MetricSpec". */
export function toDefinitionName(tableName: string): string {
  const dotIndex = tableName.indexOf('.');
  const [prefix = '', version = 'v1'] = tableName.slice(0, dotIndex).split('/');
  return `${packages[prefix] ?? `io.k8s.api.${prefix}.${version}`}.${tableName.slice(dotIndex + 1)}`;
}

/** Converts kind Widget of example.com/v1 to "com.example.v1.Widget". */
export const toCustomDefinitionName = (group: string, version: string, kind: string): string =>
  `${group.split('.').reverse().join('.')}.${version}.${kind}`;
