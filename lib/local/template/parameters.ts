/** Gives every parameter of a stack its value. */
import type { Template, TemplateParameter } from './assembly.ts';

export interface ParameterValues {
  readonly values: Readonly<Record<string, string | readonly string[]>>;
  readonly problems: readonly string[];
}

/**
 * Resolve a stack's parameters from the given values, else their defaults.
 *
 * A parameter that CloudFormation would read from the Systems Manager (the bootstrap version)
 * stands for its own default: nothing is bootstrapped here, and the template's Rules are not run.
 */
export function resolveParameters(
  stack: string,
  template: Template,
  given: Readonly<Record<string, string>>,
): ParameterValues {
  const values: Record<string, string | readonly string[]> = {};
  const problems: string[] = [];
  for (const [name, parameter] of Object.entries(template.Parameters ?? {})) {
    const value = given[name] ?? parameter.Default;
    if (value === undefined) {
      problems.push(
        `Parameter ${name} of stack ${stack} has no value: set the environment variable ${environmentName(name)}.`,
      );
      continue;
    }
    problems.push(...refusals(`Parameter ${name} of stack ${stack}`, parameter, String(value)));
    const isList = parameter.Type === 'CommaDelimitedList' || parameter.Type.startsWith('List<');
    values[name] = isList
      ? String(value)
          .split(',')
          .map((part) => part.trim())
      : String(value);
  }
  return { values, problems };
}

/**
 * Name the environment variable that a parameter's logical id was made from.
 *
 * @example environmentName('OrdersApiUrl'); // 'ORDERS_API_URL'
 */
export function environmentName(parameter: string): string {
  return parameter
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toUpperCase();
}

function refusals(
  subject: string,
  { AllowedValues, AllowedPattern }: TemplateParameter,
  value: string,
): readonly string[] {
  if (AllowedValues !== undefined && !AllowedValues.some((allowed) => String(allowed) === value)) {
    return [
      `${subject} is ${JSON.stringify(value)}, which is none of ${AllowedValues.join(', ')}.`,
    ];
  }
  if (AllowedPattern !== undefined && !new RegExp(`^(?:${AllowedPattern})$`).test(value)) {
    return [`${subject} is ${JSON.stringify(value)}, which does not match ${AllowedPattern}.`];
  }
  return [];
}
