const NAMES: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

/** Whether what is sent to this host stays on this machine. @param hostname  as in a URL: IPv6 stands in brackets */
export function isLoopback(hostname: string): boolean {
  return NAMES.includes(hostname)
}
