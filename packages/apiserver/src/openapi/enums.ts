import type { Schema } from './schema.ts';

/** Returns the enum of a type by its Go name; empty for types without a fixed set of values. */
export const toEnum = (goName: string): Schema => enums.get(goName) ?? noEnum;

const noEnum: Schema = {};

/** Types and their values (1.36); "-" stands for the empty string. */
const table = `
AddressType FQDN IPv4 IPv6
AppArmorProfileType Localhost RuntimeDefault Unconfined
AzureDataDiskCachingMode None ReadOnly ReadWrite
AzureDataDiskKind Dedicated Managed Shared
DNSPolicy ClusterFirst ClusterFirstWithHostNet Default None
FailurePolicyType Fail Ignore
HostPathType - BlockDevice CharDevice Directory DirectoryOrCreate File FileOrCreate Socket
IPFamily - IPv4 IPv6
IPFamilyPolicy PreferDualStack RequireDualStack SingleStack
MatchPolicyType Equivalent Exact
MountPropagationMode Bidirectional HostToContainer None
NamespacePhase Active Terminating
NodeInclusionPolicy Honor Ignore
NodePhase Pending Running Terminated
NodeSelectorOperator DoesNotExist Exists Gt In Lt NotIn
OperationType * CONNECT CREATE DELETE UPDATE
PersistentVolumeAccessMode ReadOnlyMany ReadWriteMany ReadWriteOnce ReadWriteOncePod
PersistentVolumeMode Block Filesystem
PodFSGroupChangePolicy Always OnRootMismatch
PodPhase Failed Pending Running Succeeded Unknown
PodQOSClass BestEffort Burstable Guaranteed
PreemptionPolicy Never PreemptLowerPriority
ProcMountType Default Unmasked
Protocol SCTP TCP UDP
PullPolicy Always IfNotPresent Never
ReinvocationPolicyType IfNeeded Never
RestartPolicy Always Never OnFailure
ScopeType * Cluster Namespaced
SeccompProfileType Localhost RuntimeDefault Unconfined
ServiceAffinity ClientIP None
ServiceExternalTrafficPolicy Cluster Local
ServiceInternalTrafficPolicy Cluster Local
ServiceType ClusterIP ExternalName LoadBalancer NodePort
SideEffectClass None NoneOnDryRun Some Unknown
SupplementalGroupsPolicy Merge Strict
TaintEffect NoExecute NoSchedule PreferNoSchedule
TerminationMessagePolicy FallbackToLogsOnError File
TolerationOperator Equal Exists Gt Lt
URIScheme HTTP HTTPS
UnsatisfiableConstraintAction DoNotSchedule ScheduleAnyway
`;

/** The values of v1.Signal without the prefix SIG and without the numbered real-time signals. */
const signals =
  'ABRT ALRM BUS CHLD CLD CONT FPE HUP ILL INT IO IOT KILL PIPE POLL PROF PWR QUIT RTMAX RTMIN SEGV STKFLT STOP SYS TERM TRAP TSTP \
TTIN TTOU URG USR1 USR2 VTALRM WINCH XCPU XFSZ';

const createNumberedNames = (name: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `${name}${index + 1}`);

const enums: ReadonlyMap<string, Schema> = /* @__PURE__ */ parseEnums();

function parseEnums(): ReadonlyMap<string, Schema> {
  const schemas = new Map<string, Schema>();
  for (const line of table.trim().split('\n')) {
    const [name, ...values] = line.split(' ');
    schemas.set(`v1.${name}`, { enum: values.map((value) => (value === '-' ? '' : value)) });
  }
  const names = [...signals.split(' '), ...createNumberedNames('RTMIN+', 15), ...createNumberedNames('RTMAX-', 14)];
  schemas.set('v1.Signal', { enum: names.map((name) => `SIG${name}`).sort() });
  return schemas;
}
