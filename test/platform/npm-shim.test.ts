import { describe, expect, it } from 'vitest';
import { programOfShim } from '../../src/platform/npm-shim.js';

const folder = 'C:\\Users\\Ada\\AppData\\Roaming\\npm';
const program = `${folder}\\node_modules\\@anthropic-ai\\claude-code\\bin\\claude.exe`;

const cmd = [
  '@ECHO off',
  'GOTO start',
  ':find_dp0',
  'SET dp0=%~dp0',
  'EXIT /b',
  ':start',
  'SETLOCAL',
  'CALL :find_dp0',
  '"%dp0%\\node_modules\\@anthropic-ai\\claude-code\\bin\\claude.exe"   %*',
].join('\r\n');

const powershell = [
  '$basedir=Split-Path $MyInvocation.MyCommand.Definition -Parent',
  'if ($MyInvocation.ExpectingInput) {',
  '  $input | & "$basedir/node_modules/@anthropic-ai/claude-code/bin/claude.exe"   $args',
  '} else {',
  '  & "$basedir/node_modules/@anthropic-ai/claude-code/bin/claude.exe"   $args',
  '}',
].join('\n');

const forNode = [
  'IF EXIST "%dp0%\\node.exe" (',
  '  SET "_prog=%dp0%\\node.exe"',
  ')',
  '"%_prog%"  "%dp0%\\node_modules\\@anthropic-ai\\claude-code\\cli.js" %*',
].join('\r\n');

describe('the script of a package manager on Windows', () => {
  it.each([
    ['npm', cmd],
    ['pnpm', '@"%~dp0\\node_modules\\@anthropic-ai\\claude-code\\bin\\claude.exe" %*'],
    ['npm for PowerShell', powershell],
  ])('by %s names its program', (_by, script) => {
    expect(programOfShim(script, folder)).toBe(program);
  });

  it.each([
    ['runs a file of Node', forNode],
    ['names two programs', `${cmd}\r\n"%dp0%\\other.exe" %*`],
    ['names a program elsewhere', '"C:\\Tools\\claude.exe" %*'],
    ['takes the path from a variable', '"%dp0%\\%NAME%.exe" %*'],
    ['is empty', ''],
  ])('names none if it %s', (_what, script) => {
    expect(programOfShim(script, folder)).toBeUndefined();
  });
});
