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
 * For pages under these paths of the portal. A handler returns an `Answer`, and says by `Needs` whom
 * it lets in; the key of a program opens nothing here.
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

/** @param ofAll what the same page asks for when it is about all merchants */
export const Needs = (need: Need, ofAll?: Permission): MethodDecorator =>
  SetMetadata(NEEDS, { need, ofAll } satisfies Needed);

/** For a route whose page has a field for the code itself. */
export const AsksForCode = (): MethodDecorator => SetMetadata(ASKS_ITSELF, true);
