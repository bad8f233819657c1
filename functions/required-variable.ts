/** What a function is told by its template. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** @throws {Error} that names the variable when it is missing. */
export function requiredVariable(env: Environment, name: string): string {
  const value = env[name];
  if (!value) throw new Error(`${name} is not set: the template should set it`);
  return value;
}
