import {
  applyDecorators,
  Controller,
  SetMetadata,
  UseFilters,
  UseGuards,
  UseInterceptors,
  VERSION_NEUTRAL,
} from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '../merchants/api-key.guard.js';
import type { Permission } from '../people/roles.js';
import { AnswerInterceptor } from './answer.interceptor.js';
import { PortalFilter } from './portal.filter.js';
import { ASKS_ITSELF, type Need, type Needed, NEEDS, PortalGuard } from './portal.guard.js';

/**
 * Controller for portal pages under these paths. Handlers return a `PageAnswer` and declare their access with `Needs`.
 * API keys have no access.
 */
export const PortalController = (...paths: readonly string[]): ClassDecorator =>
  applyDecorators(
    ApiExcludeController(),
    Public(),
    UseFilters(PortalFilter),
    UseGuards(PortalGuard),
    UseInterceptors(AnswerInterceptor),
    Controller({ path: paths.map((path) => `portal/${path}`), version: VERSION_NEUTRAL }),
  );

/** @param ofAll permission required if the page shows all merchants */
export const Needs = (need: Need, ofAll?: Permission): MethodDecorator =>
  SetMetadata(NEEDS, { need, ofAll } satisfies Needed);

/** For routes whose own form has a field for the code. */
export const AsksForCode = (): MethodDecorator => SetMetadata(ASKS_ITSELF, true);
