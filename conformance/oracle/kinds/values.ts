/** Plausible values of strings and integers, by the name of the type and field, or by the name of the field alone. */

const names = ['web', 'db', 'a', 'a.example.com', 'Not_Valid'];

const metricTypes = ['Resource', 'Resource', 'Pods', 'Object', 'External', 'ContainerResource', 'x'];

const texts: Readonly<Record<string, readonly string[]>> = {
  'autoscaling/v2.MetricSpec.type': metricTypes,
  'autoscaling/v2.MetricStatus.type': metricTypes,
  'autoscaling/v2.ResourceMetricSource.name': ['cpu', 'cpu', 'memory'],
  'autoscaling/v2.ResourceMetricStatus.name': ['cpu', 'cpu', 'memory'],
  apiGroup: ['', 'apps', 'rbac.authorization.k8s.io', 'example.com'],
  apiVersion: ['v1', 'apps/v1', 'rules.example.com/v1'],
  'core.Probe.scheme': ['HTTP', 'HTTPS'],
  cidr: ['10.0.0.0/8', 'fd00::/64', '10.0.0.1/8', 'x'],
  dnsPolicy: ['ClusterFirst', 'Default', 'None'],
  image: ['web:1', 'web', 'example.com/web:latest', 'web@sha256:abc', ''],
  ip: ['10.0.0.1', 'fd00::1', ''],
  hostname: ['a.example.com', ''],
  host: ['a.example.com', 'b.example.com', '*.example.com', ''],
  kind: ['Role', 'ClusterRole', 'User', 'Group', 'ServiceAccount', 'Deployment'],
  'meta.LabelSelectorRequirement.operator': ['In', 'NotIn', 'Exists', 'DoesNotExist', 'In', 'x'],
  'meta.LabelSelectorRequirement.values': ['a', 'b', 'c'],
  'meta.LabelSelectorRequirement.key': ['app', 'tier', 'example.com/x'],
  path: ['/', '/a', 'a', ''],
  reason: ['', 'Reason'],
  schedule: ['* * * * *', '@hourly', 'x'],
  status: ['True', 'False', 'Unknown'],
  timeZone: ['Etc/UTC', 'Europe/Berlin', 'x'],
  'batch.JobCondition.type': ['Complete', 'Failed', 'Suspended', 'FailureTarget', 'SuccessCriteriaMet'],
  'certificates.CertificateSigningRequestCondition.type': ['Approved', 'Denied', 'Failed'],
  'apiregistration.APIServiceCondition.type': ['Available'],
  'flowcontrol.FlowSchemaCondition.type': ['Dangling', 'Other'],
  volumeName: ['', 'volume', 'volume'],
};

/** The values of a string; `path` is the name of a type and field, "core.Container.image". */
export const textsOf = (path: string): readonly string[] => texts[path] ?? texts[path.slice(path.lastIndexOf('.') + 1)] ?? [...names, ''];

const integers: Readonly<Record<string, readonly number[]>> = {};

/** The values of an integer. */
export const integersOf = (path: string): readonly number[] => integers[path] ?? [0, 1, 2, 3, 5, 80, 8080, 100_000, -1];
