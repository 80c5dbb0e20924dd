{{- define "claviger.labels" -}}
app.kubernetes.io/name: claviger
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "claviger.selector" -}}
app.kubernetes.io/name: claviger
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "claviger.name" -}}
{{ printf "%s-claviger" .Release.Name | trunc 63 | trimSuffix "-" }}
{{- end }}

{{- define "claviger.image" -}}
image: {{ printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
{{- end }}

{{- define "claviger.confined" -}}
runAsNonRoot: true
runAsGroup: {{ .Values.users.group | int64 }}
readOnlyRootFilesystem: true
allowPrivilegeEscalation: false
capabilities: { drop: [ALL] }
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "claviger.serviceEnvironment" -}}
- { name: CLAVIGER_VAULT, value: /run/claviger/vault/vault.sock }
- name: CLAVIGER_DATABASE_URL
  valueFrom:
    secretKeyRef:
      name: {{ required "database.existingSecret names the Secret with the address of the database" .Values.database.existingSecret }}
      key: {{ .Values.database.key }}
{{- end }}

{{- define "claviger.secretSettings" -}}
{{- range $name, $from := . }}
{{- $known := ternary $from dict (kindIs "map" $from) }}
- name: {{ $name }}
  valueFrom:
    secretKeyRef:
      name: {{ required (printf "%s needs existingSecret: it comes from a Secret" $name) (get $known "existingSecret") }}
      key: {{ required (printf "%s needs key: it comes from a Secret" $name) (get $known "key") }}
{{- end }}
{{- end }}

{{- /* The last one of two variables would count: a Service would lead to a port at which nobody listens. */}}
{{- define "claviger.refuseSetHere" -}}
{{- $here := dict "CLAVIGER_PORT" "service.port" "CLAVIGER_OPERATOR_PORT" "service.operatorPort" "CLAVIGER_DATABASE_URL" "database" }}
{{- range $name, $value := . }}
{{- if hasKey $here $name }}
{{- fail (printf "%s is set by the chart: write %s" $name (get $here $name)) }}
{{- end }}
{{- if has $name (list "CLAVIGER_VAULT" "CLAVIGER_OPERATOR_HOST") }}
{{- fail (printf "%s is set by the chart: leave it out" $name) }}
{{- end }}
{{- if or (hasPrefix "CLAVIGER_ROOT_" $name) (hasPrefix "CLAVIGER_PKCS11_" $name) }}
{{- fail (printf "%s is for the vault: write rootKey.secretSettings" $name) }}
{{- end }}
{{- end }}
{{- end }}
