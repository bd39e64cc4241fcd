/** The types of containers (Kubernetes 1.36); type-text.ts describes the notation. */
export const containerTypes = `
AppArmorProfile
  localhostProfile:s type:s
Capabilities
  add:[]s drop:[]s
ConfigMapEnvSource
  name:s optional:b
ConfigMapKeySelector atomic
  key:s name:s optional:b
Container
  args:[]s command:[]s env:[name]EnvVar|merge|name envFrom:[]EnvFromSource image:s imagePullPolicy:s lifecycle:*Lifecycle
  livenessProbe:*Probe name:s="" ports:[containerPort,protocol]ContainerPort|merge|containerPort readinessProbe:*Probe
  resizePolicy:[]ContainerResizePolicy resources:ResourceRequirements restartPolicy:s restartPolicyRules:[]ContainerRestartRule
  securityContext:*SecurityContext startupProbe:*Probe stdin:b stdinOnce:b terminationMessagePath:s terminationMessagePolicy:s tty:b
  volumeDevices:[devicePath]VolumeDevice|merge|devicePath volumeMounts:[mountPath]VolumeMount|merge|mountPath workingDir:s
ContainerExtendedResourceRequest
  containerName:s requestName:s resourceName:s
ContainerPort
  containerPort:n=0 hostIP:s hostPort:n name:s protocol:s="TCP"
ContainerResizePolicy
  resourceName:s restartPolicy:s
ContainerRestartRule
  action:s exitCodes:*ContainerRestartRuleOnExitCodes
ContainerRestartRuleOnExitCodes
  operator:s values:[set]n
ContainerState
  running:*ContainerStateRunning terminated:*ContainerStateTerminated waiting:*ContainerStateWaiting
ContainerStateRunning
  startedAt:u
ContainerStateTerminated
  containerID:s exitCode:n finishedAt:u message:s reason:s signal:n startedAt:u
ContainerStateWaiting
  message:s reason:s
ContainerStatus
  allocatedResources:{}u allocatedResourcesStatus:[name]ResourceStatus|merge|name containerID:s image:s imageID:s
  lastState:ContainerState name:s ready:b resources:*ResourceRequirements restartCount:n started:b state:ContainerState stopSignal:s
  user:*ContainerUser volumeMounts:[mountPath]VolumeMountStatus|merge|mountPath
ContainerUser
  linux:*LinuxContainerUser
EnvFromSource
  configMapRef:*ConfigMapEnvSource prefix:s secretRef:*SecretEnvSource
EnvVar
  name:s="" value:s valueFrom:*EnvVarSource
EnvVarSource
  configMapKeyRef:*ConfigMapKeySelector fieldRef:*ObjectFieldSelector fileKeyRef:*FileKeySelector
  resourceFieldRef:*ResourceFieldSelector secretKeyRef:*SecretKeySelector
EphemeralContainer
  args:[]s command:[]s env:[name]EnvVar|merge|name envFrom:[]EnvFromSource image:s imagePullPolicy:s lifecycle:*Lifecycle
  livenessProbe:*Probe name:s="" ports:[containerPort,protocol]ContainerPort|merge|containerPort readinessProbe:*Probe
  resizePolicy:[]ContainerResizePolicy resources:ResourceRequirements restartPolicy:s restartPolicyRules:[]ContainerRestartRule
  securityContext:*SecurityContext startupProbe:*Probe stdin:b stdinOnce:b targetContainerName:s terminationMessagePath:s
  terminationMessagePolicy:s tty:b volumeDevices:[devicePath]VolumeDevice|merge|devicePath
  volumeMounts:[mountPath]VolumeMount|merge|mountPath workingDir:s
ExecAction
  command:[]s
FileKeySelector atomic
  key:s optional:b path:s volumeName:s
GRPCAction
  port:n service:s
HTTPGetAction
  host:s httpHeaders:[]HTTPHeader path:s port:deduced scheme:s
HTTPHeader
  name:s value:s
ImageVolumeStatus
  imageRef:s
Lifecycle
  postStart:*LifecycleHandler preStop:*LifecycleHandler stopSignal:s
LifecycleHandler
  exec:*ExecAction httpGet:*HTTPGetAction sleep:*SleepAction tcpSocket:*TCPSocketAction
LinuxContainerUser
  gid:n supplementalGroups:[]n uid:n
ObjectFieldSelector atomic
  apiVersion:s fieldPath:s
Probe
  exec:*ExecAction failureThreshold:n grpc:*GRPCAction httpGet:*HTTPGetAction initialDelaySeconds:n periodSeconds:n successThreshold:n
  tcpSocket:*TCPSocketAction terminationGracePeriodSeconds:n timeoutSeconds:n
ResourceClaim
  name:s="" request:s
ResourceFieldSelector atomic
  containerName:s divisor:u resource:s
ResourceHealth
  health:s message:s resourceID:s=""
ResourceRequirements
  claims:[name]ResourceClaim limits:{}u requests:{}u
ResourceStatus
  name:s="" resources:[resourceID]ResourceHealth
SELinuxOptions
  level:s role:s type:s user:s
SeccompProfile
  localhostProfile:s type:s
SecretEnvSource
  name:s optional:b
SecretKeySelector atomic
  key:s name:s optional:b
SecurityContext
  allowPrivilegeEscalation:b appArmorProfile:*AppArmorProfile capabilities:*Capabilities privileged:b procMount:s
  readOnlyRootFilesystem:b runAsGroup:n runAsNonRoot:b runAsUser:n seLinuxOptions:*SELinuxOptions seccompProfile:*SeccompProfile
  windowsOptions:*WindowsSecurityContextOptions
SleepAction
  seconds:n
TCPSocketAction
  host:s port:deduced
VolumeDevice
  devicePath:s="" name:s
VolumeMount
  mountPath:s="" mountPropagation:s name:s readOnly:b recursiveReadOnly:s subPath:s subPathExpr:s
VolumeMountStatus
  mountPath:s="" name:s readOnly:b recursiveReadOnly:s volumeStatus:*VolumeStatus
VolumeStatus
  image:*ImageVolumeStatus
WindowsSecurityContextOptions
  gmsaCredentialSpec:s gmsaCredentialSpecName:s hostProcess:b runAsUserName:s
`;
