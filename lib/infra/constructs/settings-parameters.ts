import { CfnParameter } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import type { Setting } from '#config/pipeline-settings';
import { parameterName } from '#config/required-settings';

export interface SettingsParametersProps {
  readonly settings: readonly Setting[];
  /** Where a setting's value is looked for when the app is synthesized. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** One stack parameter for each setting; one without a value must be given when deployed. */
export class SettingsParameters extends Construct {
  /** Environment variables, by name. */
  readonly variables: Readonly<Record<string, string>>;

  constructor(scope: Construct, id: string, props: SettingsParametersProps) {
    super(scope, id);
    this.variables = Object.fromEntries(
      props.settings.map(({ env, default: fallback }) => {
        const value = props.environment[env] || fallback;
        const parameter = new CfnParameter(this, env, {
          type: 'String',
          description: `Environment variable ${env}.`,
          ...(value === undefined ? {} : { default: value }),
        });
        parameter.overrideLogicalId(parameterName(env));
        return [env, parameter.valueAsString];
      }),
    );
  }
}
