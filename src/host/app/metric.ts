/** A metric in the text format of Prometheus (version 0.0.4): each value with its labels before it. */
export function metric(
  name: string,
  type: string,
  help: string,
  values: readonly string[],
): readonly string[] {
  const full = `claviger_${name}`
  return [`# HELP ${full} ${help}`, `# TYPE ${full} ${type}`, ...values.map((value) => `${full}${value}`)]
}
