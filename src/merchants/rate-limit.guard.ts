import { SetMetadata } from '@nestjs/common';
export const LimitPages = (): MethodDecorator => SetMetadata('limit-pages', true);
