# The words of Homebrew that the formula uses, so that its steps run where there is no Homebrew:
# ruby formula-stub.rb FORMULA SOURCES PREFIX
require "fileutils"

class Formula
  class << self
    attr_reader :tests
    def test(&block) = @tests = block
    %i[desc homepage url sha256 license depends_on].each { |word| define_method(word) { |*| } }
  end
  def prefix = ARGV[2]
  def bin = "#{prefix}/bin"
  def share = "#{prefix}/share"
  def system(*command) = Kernel.system(*command) || abort("failed: #{command.join(" ")}")
  def shell_output(command) = `#{command}`
  def assert_match(expected, actual) = actual.include?(expected) || abort("'#{expected}' is not in: #{actual}")
end

load ARGV[0]
formula = Realmctl.new
Dir.chdir(ARGV[1]) { formula.install }
formula.instance_eval(&Realmctl.tests)
