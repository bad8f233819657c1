/** What is said where two want one port. */
export function portTaken(port: number | undefined): string {
  return `Port ${port} is taken: stop what uses it, or choose another with --port.`;
}
