import { describe, expect, it } from 'vitest';
import { axeFindings } from './axe';
import { stage } from './setup';

const on = stage(400);

describe('dashboards', () => {
  it('show percentiles, the heat map, the objective and who is slow, and complain of nothing', async () => {
    const { page, complaints } = await on.visit('/dashboards', '.dashboard .plot canvas');
    await page.waitForSelector('.slo-answer');
    await page.waitForSelector('text=update deployments/status');
    expect(await page.locator('.slo-answer').innerText()).toMatch(/\d+\.\d+ %/);
    const chart = await page.getByRole('img', { name: /^Time to converge/ }).getAttribute('aria-label');
    expect(chart).toMatch(/median: [\d.]+ m?s last/);
    expect(await axeFindings(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('keep filters, split and objective in the link', async () => {
    const { page } = await on.visit('/dashboards?namespace=shop', '.dashboard .plot canvas');
    await page.getByLabel('Split by').selectOption('user');
    await page.waitForURL('**/dashboards?namespace=shop&by=user');
    await page.waitForSelector('text=Time to converge by user');
    await page.getByRole('button', { name: 'Converged' }).click();
    await page.waitForURL('**/dashboards?namespace=shop&state=converged&by=user');
  });

  it('lead from a cell of the heat map to its journeys', async () => {
    const { page } = await on.visit('/dashboards', '.heat rect');
    await page.locator('.heat rect').first().click();
    await page.waitForURL(/\/\?.*min_duration=.*since=/);
    await page.waitForSelector('h1:has-text("Changes")');
  });
});

describe('runs', () => {
  it('stack their steps over versions and mark where something changed', async () => {
    const { page, complaints } = await on.visit('/runs', '.stack-mark');
    expect(await page.locator('.stack-mark').allInnerTexts()).toEqual([expect.stringMatching(/▲ 2\d.*s → 2\d.*s/)]);
    expect(await page.locator('.stack-runs li').count()).toBe(20);
    expect(await page.locator('.stack-change').innerText()).toContain('1.4.12');
    expect(await page.locator('.stack-answer').innerText()).toMatch(
      /^▲ Slower from 1\.4\.12 on: 2\d.* s rather than 2\d.* s; pull base image \+[67]/,
    );
    expect(await axeFindings(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('open as a waterfall', async () => {
    const { page, complaints } = await on.visit('/runs', '.stack-runs a');
    await page.locator('.stack-runs a').first().click();
    await page.waitForSelector('.wf-row');
    expect(await page.locator('h1').innerText()).toBe('minikube start');
    await page.keyboard.press('/');
    await page.keyboard.type('pull base');
    await page.waitForSelector('text=1 found');
    expect(await axeFindings(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('that are none say how to get some', async () => {
    on.server.world.runs = [];
    await on.visit('/runs', 'text=No command was traced yet');
  });
});

describe('the system', () => {
  it('says what is not well and what to do about it, and complains of nothing', async () => {
    const { page, complaints } = await on.visit('/system', '.doctor');
    const text = await page.locator('main').innerText();
    expect(text).toContain('To do: set samplingRatePerMillion: 1000000');
    expect(text).toContain('cannot connect to node1: connection refused');
    expect(text).toContain('7,600 of 8,192');
    expect(text).toContain('span without a name');
    expect(text).toContain('Journeys are kept 90 days');
    expect(await axeFindings(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });
});

describe('an address that is none', () => {
  it('is said to be none', async () => {
    const { page } = await on.visit('/nowhere', 'text=There is no such page');
    expect(await axeFindings(page)).toEqual([]);
  });
});
