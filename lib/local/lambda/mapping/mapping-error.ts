/** Why a mapping cannot be made as it is asked for. */

/** `ValidationException`: only the API's own ranges were missed. */
export type MappingErrorCode = 'ValidationException' | 'InvalidParameterValueException';

export interface MappingFault {
  readonly code: MappingErrorCode;
  /** Names the parameter. */
  readonly message: string;
}

export class MappingError extends Error {
  readonly code: MappingErrorCode;

  constructor(faults: readonly MappingFault[]) {
    super(faults.map(({ message }) => message).join('; '));
    this.name = 'MappingError';
    this.code = faults.every(({ code }) => code === 'ValidationException')
      ? 'ValidationException'
      : 'InvalidParameterValueException';
  }
}
